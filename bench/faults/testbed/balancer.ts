import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLogged } from '../../../scripts/support/logged-process.ts';
import { freePort } from '../../../scripts/support/network/free-port.ts';
import { provide, SERVER_ENV } from '../../support/machine/packages.ts';
import { answers, until } from '../../support/timing.ts';
import { atEnd, ownFolder, ownProcess } from '../../support/program.ts';

const START_MS = 10_000;

export interface Balancer {
  readonly url: string;
  /** The error log of nginx, without refused connections, after which nginx asks the other server. */
  readonly errors: () => readonly string[];
}

/** Starts nginx in front of the servers. It ends with the program. @param ports ports of the servers */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  provide(
    ['nginx'],
    () => spawnSync('nginx', ['-v'], { env: SERVER_ENV }).error === undefined || null,
  );
  const { folder } = ownFolder();
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, port, ports));
  const errors = join(folder, 'error.log');
  const args = ['-p', folder, '-c', file, '-e', errors];
  const started = startLogged(['nginx', args], join(folder, 'nginx.log'), { env: SERVER_ENV });
  ownProcess(started.child);
  atEnd(() => started.stop());
  const url = `http://127.0.0.1:${port}`;
  await until('nginx', () => answers(url), { withinMs: START_MS, whyNot: started.readLog });
  return {
    url,
    errors: () =>
      (started.readLog() + readFileSync(errors, 'utf8'))
        .split('\n')
        .filter((line) => line !== '' && !line.includes('Connection refused')),
  };
}

/**
 * With this configuration nginx is one process, so that no worker of it stays behind. If a server fails, nginx sends
 * the request to the other server; a `POST` only if no byte of it was sent.
 */
function configuration(folder: string, port: number, ports: readonly number[]): string {
  const servers = ports.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=1s;`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  keepalive_requests 1000000;
  upstream pressroom {
    ${servers.join('\n    ')}
    keepalive 64;
    keepalive_requests 1000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=1024;
    client_max_body_size 2m;
    location / {
      proxy_pass http://pressroom;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_connect_timeout 1s;
      proxy_read_timeout 30s;
      proxy_next_upstream error timeout;
      proxy_next_upstream_tries 2;
    }
  }
}
`;
}
