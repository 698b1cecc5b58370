/** What a password must not repeat. */
export interface PasswordOwner {
  readonly email: string;
  readonly name: string;
}

/** Whether it is the address or the name of whoever uses it, case and outer blanks aside. */
export function namesItsOwner(password: string, { email, name }: PasswordOwner): boolean {
  const plain = plainOf(password);
  return [email, name].some((text) => plainOf(text) === plain);
}

function plainOf(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase();
}
