import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

interface Service {
  readonly image: string;
  readonly user?: string;
  readonly profiles?: string[];
  readonly command?: string[];
  readonly environment?: Record<string, string | null>;
  readonly cap_drop?: string[];
  readonly cap_add?: string[];
  readonly privileged?: boolean;
  readonly security_opt?: string[];
  readonly read_only?: boolean;
  readonly tmpfs?: string[];
}

const TEXT = readFileSync('compose.yaml', 'utf8');
const DOCKERFILE = readFileSync('Dockerfile', 'utf8');
const SEED_VARIABLES = ['API_KEY', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'];

const { services } = parse(TEXT, { merge: true }) as { services: Record<string, Service> };

describe('compose.yaml', () => {
  it.each(Object.entries(services))(
    'should give %s no right that it does not need',
    (_, service) => {
      expect(service).toMatchObject({
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        read_only: true,
        tmpfs: ['/tmp'],
      });
      expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      expect(service).not.toHaveProperty('cap_add');
      expect(service).not.toHaveProperty('privileged');
    },
  );

  it('should demand no variable of a command that does not use it', () => {
    // Compose asks for these of every command, also for services of other profiles.
    const demanded = TEXT.split('\n').filter(
      (line) => !/^\s*#/.test(line) && /\$\{\w+:?\?/.test(line),
    );
    expect(demanded).toEqual([]);
  });

  it('should insert credentials when it is asked to, and with no other start', () => {
    const seeds = Object.entries(services).filter(([, { command, environment }]) =>
      [...(command ?? []), ...Object.keys(environment ?? {})].some(
        (word) => word.includes('seed') || SEED_VARIABLES.includes(word),
      ),
    );
    expect(seeds.map(([name, { profiles }]) => [name, profiles])).toEqual([
      ['seed', ['first-run']],
    ]);
    // Without a value each is taken from the caller's environment, and absent when it is not there.
    const [[, seed] = []] = seeds;
    expect(SEED_VARIABLES.map((name) => seed?.environment?.[name])).toEqual([null, null, null]);
  });

  it('should have the key readable by the user of the container alone, as docs/production.md says', () => {
    const { user = '' } = services['pressroom'] ?? {};
    for (const text of [TEXT, readFileSync('docs/production.md', 'utf8')]) {
      expect(text).toContain(`chown ${user} jwt-private-key.pem`);
      expect(text).toContain('chmod 600 jwt-private-key.pem');
    }
    expect(TEXT).not.toContain('chmod 644');
  });

  it('should name images by exact versions', () => {
    const images = [
      ...Object.values(services).map(({ image }) => image),
      ...[...DOCKERFILE.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image),
    ].filter((image) => image !== 'pressroom');
    expect(images.length).toBeGreaterThan(3);
    expect(images.filter((image) => !/:\d+\.\d+\.\d+(-slim)?(@sha256:|$)/.test(image))).toEqual([]);
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      devDependencies: { node: string };
    };
    expect(images).toContain(`node:${devDependencies.node}-slim`);
  });
});
