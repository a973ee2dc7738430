import { expect, test } from 'vitest'
import { planConnections } from './descriptor-limit.ts'

test.for<[what: string, wanted: number, descriptors: number | undefined, connections: number]>([
  ['enough', 4_096, 4_224, 4_096],
  ['one too few', 4_096, 4_223, 4_095],
  ['no limit that is known', 4_096, undefined, 4_096],
  ['the least', 4_096, 144, 16],
  ['few wanted of few', 8, 136, 8],
])('%s', ([, wanted, descriptors, connections]) => {
  const { connectionsMax, warning } = planConnections(wanted, descriptors)
  expect(connectionsMax).toBe(connections)
  const remedy = `the limit of open files is ${descriptors}, so at most ${connections} of the configured ${wanted} connections are accepted; ` +
    `raise it to ${wanted + 128} with 'ulimit -n', or LimitNOFILE= of the systemd unit`
  expect(warning).toBe(connections === wanted ? undefined : remedy)
})

test.for([143, 128, 20])('too few: %s', (descriptors) => {
  expect(() => planConnections(4_096, descriptors)).toThrow(
    `the limit of open files is ${descriptors}, and the server needs at least 144; raise it to 4224 with 'ulimit -n'`)
})
