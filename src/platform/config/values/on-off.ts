export const ON_OFF = ['on', 'off'] as const;
export type OnOff = (typeof ON_OFF)[number];
