// Counts the functions that a body of events passes on its way from the chunks of the request to the bus:
//
//   node tools/ingest-walk.ts
//
// One request is sent to a server in this process while V8 counts calls. A called function is on the way if one of its parameters
// is declared as bytes, events or a part of them, so that the list needs no care. Helpers of `common` count as little as those of the
// language, and what stages do with an event later is not on the way.
import { Session } from 'node:inspector/promises'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openTestServer } from '../packages/server/test/open-test-server.ts'
import { readText, repositoryRoot } from './workspace.ts'

/** A function on the way, by file and name. */
type WalkedFunction = { readonly path: string; readonly name: string }

/** Types of a body or of a part of it, as sources write them. */
const bodyTypes = /\b(?:Uint8Array|Buffer|ReadableStream|IngestBody|EventSpan|RawEvent)\b/

/** The files between the socket and the bus. */
const wayFiles = [
  'packages/server/src/http/read-body.ts', 'packages/server/src/ingestion/', 'packages/formats/src/', 'packages/detection/src/pipeline/',
]

/** Prints what the bus gets; the other functions of its file are called by the stages that read it. */
const printer = { path: 'packages/detection/src/stages/event-message.ts', name: 'printMessage' }

/** The functions that get the bytes of one body, or a part of them, until it is accepted; sorted by file. */
export async function walkIngest(): Promise<readonly WalkedFunction[]> {
  const server = await openTestServer([], { isPatient: false })
  const post = async (id: string): Promise<void> => {
    const body = Buffer.from(JSON.stringify({ id, EventID: 4625, time: '2026-05-01T10:00:00Z', user: 'ann' }))
    const { status } = await server.call('POST', '/ingest/v1/events', { body, headers: { 'content-type': 'application/json' } })
    if (status !== 202) throw new Error(`the event was answered with ${status}`)
  }
  // What is opened by the first request is not part of the way.
  await post('first')
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await post('second')
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  return result.flatMap(({ url, functions }) => {
    const path = url.startsWith('file:') ? posix.relative(repositoryRoot, fileURLToPath(url)) : ''
    const isOnWay = wayFiles.some((file) => path.startsWith(file))
    if (!isOnWay && path !== printer.path) return []
    const source = readText(path)
    return functions
      .filter(({ functionName: name, ranges: [range] }) => (isOnWay || name === printer.name) && (range?.count ?? 0) > 0)
      .filter(({ ranges: [range] }) => bodyTypes.test(readParameters(source.slice(range?.startOffset, range?.endOffset))))
      .map(({ functionName: name }) => ({ path, name }))
  }).sort((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)))
}

/** The text between the parentheses of a function's parameters. Types are blanked when a source is loaded, so places stay. */
function readParameters(text: string): string {
  const start = text.indexOf('(')
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if ('({['.includes(text[at] ?? '')) depth++
    if (')}]'.includes(text[at] ?? '') && --depth === 0) return text.slice(start, at + 1)
  }
  return ''
}

if (import.meta.main) {
  const walked = await walkIngest()
  for (const { path, name } of walked) process.stdout.write(`${name}  ${path}\n`)
  process.stdout.write(`${walked.length} functions\n`)
}
