import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DECLARED_ROUTES } from '../routes/router.js';
import { stateDiagram } from './state-diagram.js';

const PAGE = readFileSync('docs/newsroom.md', 'utf8');

describe('docs/newsroom.md', () => {
  it('should have the diagram of the table of transitions', () => {
    const [, diagram] = /```mermaid\n([\s\S]*?)\n```/.exec(PAGE) ?? [];
    // When it fails: put the expected text on the page.
    expect(diagram).toBe(stateDiagram());
  });

  it('should name routes that exist', () => {
    const named = [...PAGE.matchAll(/\b(GET|POST|PUT|DELETE) (\/(?:blog|admin)[\w/{}]+)/g)];
    const known = new Set(DECLARED_ROUTES.map(({ route }) => route.replace(/:(\w+)/g, '{$1}')));
    expect(named.length).toBeGreaterThan(20);
    expect(named.map(([route]) => route).filter((route) => !known.has(route))).toEqual([]);
  });
});
