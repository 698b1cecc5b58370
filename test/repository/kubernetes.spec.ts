import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext?: object;
  readonly containers: readonly Record<string, unknown>[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
}

const FOLDER = 'deploy/kubernetes';
const DOCKERFILE = readFileSync('Dockerfile', 'utf8');
const MANIFESTS = readdirSync(FOLDER).map(
  (file) => parse(readFileSync(join(FOLDER, file), 'utf8')) as Manifest,
);
const PODS = MANIFESTS.flatMap(({ kind, spec }): [string, PodSpec][] =>
  spec?.template ? [[kind, spec.template.spec]] : [],
);

describe('the manifests of Kubernetes', () => {
  it('should be those of all that a deployment needs', () => {
    expect(MANIFESTS.map(({ kind }) => kind).sort()).toEqual(
      ['Deployment', 'Job', 'NetworkPolicy', 'PodDisruptionBudget', 'Secret', 'Service'].sort(),
    );
    expect(PODS).toHaveLength(2);
  });

  // The level "restricted" of the Pod Security Standards, and a file system that nobody writes.
  it.each(PODS)('should give the pods of the %s no right that they do not need', (_, pod) => {
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
    for (const container of pod.containers) {
      expect(container['securityContext']).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('should run commands that are in the image', () => {
    const programs = PODS.flatMap(([, { containers }]) =>
      containers.flatMap(
        ({ command }) =>
          (command as string[] | undefined)?.join(' ').match(/\b(?:bin|scripts|dist)\/[\w.-]+/g) ??
          [],
      ),
    );
    expect(programs).toEqual(['bin/pressroom.mjs']);
    for (const program of programs) expect(existsSync(program)).toBe(true);
    expect(DOCKERFILE).toContain('COPY bin ./bin');
  });

  it('should ask the paths that tell of the process, and of the database', () => {
    const [, { containers } = { containers: [] }] =
      PODS.find(([kind]) => kind === 'Deployment') ?? [];
    const path = (probe: string): unknown =>
      (containers[0]?.[probe] as { httpGet: { path: string } } | undefined)?.httpGet.path;
    expect(['startupProbe', 'livenessProbe', 'readinessProbe'].map(path)).toEqual([
      '/health/live',
      '/health/live',
      '/health/ready',
    ]);
  });
});
