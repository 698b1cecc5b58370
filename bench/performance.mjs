/**
 * `npm run bench`: how fast Pressroom is, as ratios inside one run (docs/performance.md).
 *
 *   npm run bench -- --articles FILE --count 10000 --only warm,lists --rounds 5 --seconds 5
 *   npm run bench -- --count 1000000 --data FOLDER     (bars 4, 5, 10, 11)
 *   npm run bench -- --short                           (two minutes; fails below reference.json)
 *
 * It starts a MongoDB of its own on the loopback interface, fills it, starts the built Pressroom
 * and the baseline programs on the same Node, and measures them in interleaved rounds: server on
 * core 0, MongoDB and load on core 1. A case is a module of `performance/cases/`:
 *
 *   export const name = 'warm';
 *   export const bars = [1];
 *   export const needs = { count: 10_000 };    // articles, at least; else the case is "not run"
 *   export async function run(bench) { … return rows; }
 *
 * `bench` is
 *   options    { articles, count, rounds, seconds, short, … }: what was asked for
 *   mongo      { uri, pid, … } of mongo.mjs
 *   world      of seed.mjs: { count, apiKey, admin: { _id, email, password },
 *              authors: [{ _id, email, name, password }], slugs: […], ids: […] (same order, at most
 *              10,000, spread over all), tags: [{ tag, count }] (most frequent first) }
 *   cpus       { server: '0', load: '1' }, each null where nothing is pinned
 *   startPressroom(env = {}, { cpu = cpus.server, entry, nodeOptions, readyPath } = {})
 *   startBaseline(name, env = {}, { cpu } = {})
 *              → { url, port, pid, cpuSeconds(), rssBytes(), call(method, path, { token, body }),
 *                  signIn(person) → access token, readLog(), stop(), kill() }
 *              stopped by the frame as well when the case ends, fails or is interrupted
 *   closedLoop({ server, path | paths, headers = {}, method = 'GET', connections = 64, seconds,
 *              answers }) → a measure; wrk, as fast as the server allows
 *   openLoop({ server | url, requests: [{ method, path, headers, body }], rate, seconds,
 *              connections = 64, statuses = [200] }) → a measure; at a fixed rate from a process of
 *              its own, each latency counted from when the request was due, so that stalls count
 *   rounds({ ours, baseline, count = options.rounds, warmUp = true })
 *              two functions that measure once, called in turn → { ours, baseline: medians of the
 *              measures, ratio: of the medians of the rates, spread: [least, most] of the rounds }
 *   wants(row) false for a row that this run leaves out (short form, a second try)
 *   log(text)  to the standard error
 *
 * A measure is { rate, perCpuSecond, cpuMicros (per request), busy (share of a core that the server
 * had), p50, p99, p999 (milliseconds), requests, errors }; errors other than 0 throw, as does an
 * answer that is not the expected one.
 *
 * A row is { bar: 1, case: 'article by slug', ours: measure, baseline: measure | null, ratio,
 * spread: [least, most], value (what the limit is held against; the ratio if left out),
 * limit: { kind: 'ratio-min' | 'ratio-max' | 'max' | 'min' | 'none', value, unit }, reached,
 * note }; `rowOf` of report.mjs fills in `value` and `reached`. `limit: none` is for what is
 * reported beside the bars.
 */
