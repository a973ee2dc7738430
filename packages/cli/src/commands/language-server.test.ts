import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  CodeActionRequest, CompletionRequest, DidChangeTextDocumentNotification, DidCloseTextDocumentNotification, DidOpenTextDocumentNotification,
  ExecuteCommandRequest, ExitNotification, HoverRequest, InitializeRequest, InitializedNotification, PublishDiagnosticsNotification,
  ShutdownRequest, StreamMessageReader, StreamMessageWriter, createProtocolConnection,
} from 'vscode-languageserver-protocol/node'
import type { CodeAction, CompletionItem, InitializeResult, ProtocolConnection, PublishDiagnosticsParams } from 'vscode-languageserver-protocol/node'
import { createFolder } from '../../test/run-captured.ts'

/* The protocol's own client library against the command as an editor starts it: a process, over stdin and stdout. */

const base = `title: Whoami
id: 1a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6
name: whoami
level: high
logsource: { category: process_creation, product: windows }
detection:
  selection:
    Image|endswith: '\\whoami.exe'
  condition: selection
`
const folder = createFolder({
  'base.yml': base,
  'many.yml': 'title: Many\ncorrelation:\n  type: event_count\n  rules: [whoami]\n  group-by: [User]\n  timespan: 5m\n  condition: { gte: 3 }\n',
})
afterAll(() => rmSync(folder, { recursive: true }))

const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href
const program = fileURLToPath(new URL('../main.ts', import.meta.url))

describe('an editor', () => {
  let server: ChildProcessWithoutNullStreams
  let client: ProtocolConnection
  let answer: InitializeResult | undefined
  let waiting: ((params: PublishDiagnosticsParams) => void)[] = []
  const published: PublishDiagnosticsParams[] = []

  /** The next diagnostics that the server publishes. */
  const nextDiagnostics = (): Promise<PublishDiagnosticsParams> => {
    const early = published.shift()
    return early === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(early)
  }
  const open = async (name: string, text: string): Promise<PublishDiagnosticsParams> => {
    await client.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: { uri: uriOf(name), languageId: 'yaml', version: 1, text } })
    return await nextDiagnostics()
  }

  beforeEach(async () => {
    server = spawn(process.execPath, [program, 'language-server', '--stdio'], { stdio: 'pipe' })
    client = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin))
    client.onNotification(PublishDiagnosticsNotification.type, (params) => {
      const taken = waiting.shift()
      if (taken === undefined) published.push(params)
      else taken(params)
    })
    client.listen()
    answer = await client.sendRequest(InitializeRequest.type, { processId: null, rootUri: null, capabilities: {} })
    await client.sendNotification(InitializedNotification.type, {})
  })

  /** Ends the server as the protocol asks; answers its exit code. */
  const shutDown = async (): Promise<unknown> => {
    const closed = once(server, 'close')
    await client.sendRequest(ShutdownRequest.type)
    await client.sendNotification(ExitNotification.type)
    const [code]: unknown[] = await closed
    return code
  }

  afterEach(() => {
    client.dispose()
    server.kill()
    waiting = []
    published.length = 0
  })

  test('learns what the server does, and ends it', async () => {
    expect(answer).toMatchObject({
      serverInfo: { name: 'tripline' },
      capabilities: { hoverProvider: true, executeCommandProvider: { commands: ['tripline.explain'] } },
    })
    expect(await shutDown()).toBe(0)
  })

  test('gets findings with places, and none once the rule is mended', async () => {
    const { diagnostics } = await open('new.yml', base.replace('endswith', 'endwith'))
    expect(diagnostics.find(({ code }) => code === 'UNKNOWN_MODIFIER')).toMatchObject({
      severity: 1, source: 'tripline', range: { start: { line: 7, character: expect.any(Number) } },
    })
    await client.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri: uriOf('new.yml'), version: 2 }, contentChanges: [{ text: base.replace('1a3c5e7f', '2a3c5e7f').replace('name: whoami\n', '') }],
    })
    const mended = await nextDiagnostics()
    expect([mended.version, mended.diagnostics.filter(({ severity }) => severity === 1)]).toEqual([2, []])
    await client.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: uriOf('new.yml') } })
    expect((await nextDiagnostics()).diagnostics).toEqual([])
  })

  test('has references resolved by the files beside', async () => {
    const { diagnostics } = await open('many.yml', readFileSync(join(folder, 'many.yml'), 'utf8'))
    expect(diagnostics.filter(({ severity }) => severity === 1)).toEqual([])
  })

  test('fixes, completes, shows what a rule finds, and explains', async () => {
    const text = base.replace('level: high', 'level: High')
    await open('base.yml', text)
    const range = { start: { line: 3, character: 0 }, end: { line: 3, character: 11 } }
    const actions = await client.sendRequest(CodeActionRequest.type, {
      textDocument: { uri: uriOf('base.yml') }, range, context: { diagnostics: [] },
    }) as CodeAction[]
    expect(actions.map(({ kind }) => kind)).toEqual(['quickfix', 'source.fixAll'])
    expect(actions[1]?.edit?.changes?.[uriOf('base.yml')]?.[0]?.newText).toContain('level: high')

    const items = await client.sendRequest(CompletionRequest.type, {
      textDocument: { uri: uriOf('base.yml') }, position: { line: 7, character: 15 },
    }) as CompletionItem[]
    expect(items.map(({ label }) => label)).toContain('endswith')

    const hover = await client.sendRequest(HoverRequest.type, { textDocument: { uri: uriOf('base.yml') }, position: { line: 8, character: 4 } })
    expect(JSON.stringify(hover)).toContain('Image:*')

    const explained: unknown = await client.sendRequest(ExecuteCommandRequest.type, {
      command: 'tripline.explain',
      arguments: [uriOf('base.yml'), '{"_logsource":{"category":"process_creation","product":"windows"},"Image":"C:\\\\x\\\\whoami.exe"}'],
    })
    expect(explained).toContain('✓ line 1: Whoami')
    await expect(client.sendRequest(ExecuteCommandRequest.type, { command: 'other' })).rejects.toThrow('the command is tripline.explain')
  })
})
