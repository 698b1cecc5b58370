import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** @returns a port of 127.0.0.1 that was free a moment ago */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/** @returns `count` different ports. Two calls of `freePort` might return the same port, because the first frees it. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port);
  for (const probe of probes) probe.close();
  await Promise.all(probes.map((probe) => once(probe, 'close')));
  return ports;
}
