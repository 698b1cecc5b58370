import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const DOCKERFILE = readFileSync('Dockerfile', 'utf8');

describe('compose.yaml', () => {
  interface Service {
    readonly image: string;
    readonly user?: string;
    readonly profiles?: string[];
    readonly command?: string[];
    readonly environment?: Record<string, string | null>;
  }

  const TEXT = readFileSync('compose.yaml', 'utf8');
  const SEED_VARIABLES = ['API_KEY', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'];
  const { services } = parse(TEXT, { merge: true }) as { services: Record<string, Service> };

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
      for (const key of ['cap_add', 'privileged']) expect(service).not.toHaveProperty(key);
    },
  );

  it('should require no variable for a command that does not use it', () => {
    // Compose requires `${X?}` for every command, even if only a service of another profile uses it.
    const required = TEXT.split('\n').filter(
      (line) => !/^\s*#/.test(line) && /\$\{\w+:?\?/.test(line),
    );
    expect(required).toEqual([]);
  });

  it('should insert credentials only with the profile first-run', () => {
    const seeds = Object.entries(services).filter(([, { command, environment }]) =>
      [...(command ?? []), ...Object.keys(environment ?? {})].some(
        (word) => word.includes('seed') || SEED_VARIABLES.includes(word),
      ),
    );
    expect(seeds.map(([name, { profiles }]) => [name, profiles])).toEqual([
      ['seed', ['first-run']],
    ]);
    // Compose takes a variable without a value from its own environment, if it is set there.
    const [[, seed] = []] = seeds;
    expect(SEED_VARIABLES.map((name) => seed?.environment?.[name])).toEqual([null, null, null]);
  });

  it('should explain how to make the key readable only by the container user, as docs/production.md does', () => {
    const { user = '' } = services['pressroom'] ?? {};
    for (const text of [TEXT, readFileSync('docs/production.md', 'utf8')]) {
      expect(text).toContain(`chown ${user} jwt-private-key.pem`);
      expect(text).toContain('chmod 600 jwt-private-key.pem');
    }
    expect(TEXT).not.toContain('chmod 644');
  });

  it('should name images by exact versions, as the Dockerfile does', () => {
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

describe('the Kubernetes manifests', () => {
  interface Container {
    readonly securityContext?: object;
    readonly command?: string[];
    readonly [probe: string]: unknown;
  }

  interface Manifest {
    readonly kind: string;
    readonly spec?: { readonly template?: { readonly spec: { containers: Container[] } } };
  }

  const FOLDER = 'deploy/kubernetes';
  const MANIFESTS = readdirSync(FOLDER).map(
    (file) => parse(readFileSync(join(FOLDER, file), 'utf8')) as Manifest,
  );
  const PODS = MANIFESTS.flatMap(({ kind, spec }) =>
    spec?.template ? [{ kind, pod: spec.template.spec }] : [],
  );

  it('should include all that a deployment needs', () => {
    expect(MANIFESTS.map(({ kind }) => kind).sort()).toEqual(
      ['Deployment', 'Job', 'NetworkPolicy', 'PodDisruptionBudget', 'Secret', 'Service'].sort(),
    );
    expect(PODS).toHaveLength(2);
  });

  // These are the rules of the level "restricted" of the Pod Security Standards, and a read-only file system.
  it.each(PODS)('should give the pods of the $kind no right that they do not need', ({ pod }) => {
    const user = Number(/^USER (\d+):/m.exec(DOCKERFILE)?.[1]);
    expect(user).toBeGreaterThan(0);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: user,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    for (const key of ['hostNetwork', 'hostPID', 'hostIPC']) expect(pod).not.toHaveProperty(key);
    for (const { securityContext } of pod.containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('should run commands that are in the image', () => {
    const commands = PODS.flatMap(({ pod }) =>
      pod.containers.flatMap(({ command = [] }) => command),
    );
    const programs = commands.join(' ').match(/\b(?:bin|scripts|dist)\/[\w.-]+/g);
    expect(programs).toEqual(['bin/pressroom.mjs']);
    expect(existsSync('bin/pressroom.mjs')).toBe(true);
    expect(DOCKERFILE).toContain('COPY bin ./bin');
  });

  it('should probe the process for startup and liveness, and the database for readiness', () => {
    const [container] = PODS.find(({ kind }) => kind === 'Deployment')?.pod.containers ?? [];
    expect(container).toMatchObject({
      startupProbe: { httpGet: { path: '/health/live' } },
      livenessProbe: { httpGet: { path: '/health/live' } },
      readinessProbe: { httpGet: { path: '/health/ready' } },
    });
  });
});
