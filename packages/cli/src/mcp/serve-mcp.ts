import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { writeText } from '../framework/write-text.ts'

/** A tool of the server: what it takes, as JSON Schema, and what it does. */
export type McpTool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  readonly call: (given: { readonly [name: string]: unknown }) => Promise<McpResult>
}

/** What a tool answers; `isError` where it did not do what was asked. */
type McpResult = { readonly text: string; readonly isError: boolean }

type McpOptions = {
  readonly input: Readable
  readonly output: Writable
  readonly version: string
  readonly tools: readonly McpTool[]
}

/** Versions of the protocol that read alike for a server with tools alone; the newest first. */
const protocolVersions = ['2025-06-18', '2025-03-26', '2024-11-05']

/** Codes of JSON-RPC. */
const parseError = -32_700
const invalidRequest = -32_600
const unknownMethod = -32_601
const invalidParameters = -32_602

/** Serves the Model Context Protocol over lines of JSON-RPC, one request after the other, until the input ends. */
export async function serveMcp({ input, output, version, tools }: McpOptions): Promise<void> {
  const send = (message: object): Promise<void> => writeText(output, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    const parsed = tryParseJson(line)
    if ('problem' in parsed) {
      await send({ id: null, error: { code: parseError, message: parsed.problem } })
      continue
    }
    const request = parsed.value
    if (!isJsonObject(request) || typeof request['method'] !== 'string') {
      // Answers to requests of a server come without a method; this one sends none.
      if (!isJsonObject(request) || !('id' in request)) await send({ id: null, error: { code: invalidRequest, message: 'no request' } })
      continue
    }
    const { id, method, params } = request
    // A notification takes no answer.
    if (id === undefined) continue
    const answer = await answerRequest(method, isJsonObject(params) ? params : {}, { version, tools })
    await send({ id, ...answer })
  }
}

type Answer = { readonly result: object } | { readonly error: { readonly code: number; readonly message: string } }

async function answerRequest(
  method: string, params: { readonly [name: string]: unknown }, { version, tools }: Pick<McpOptions, 'version' | 'tools'>,
): Promise<Answer> {
  switch (method) {
    case 'initialize': {
      const stated = protocolVersions.find((one) => one === params['protocolVersion']) ?? protocolVersions[0]
      return { result: { protocolVersion: stated, capabilities: { tools: {} }, serverInfo: { name: 'tripline', version } } }
    }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return { result: { tools: tools.map(({ call: _call, ...tool }) => ({ ...tool, annotations: { readOnlyHint: true } })) } }
    case 'tools/call': {
      const tool = tools.find(({ name }) => name === params['name'])
      if (tool === undefined) return { error: { code: invalidParameters, message: `there is no tool '${String(params['name'])}'` } }
      const { text, isError } = await tool.call(isJsonObject(params['arguments']) ? params['arguments'] : {})
      return { result: { content: [{ type: 'text', text }], isError } }
    }
    default:
      return { error: { code: unknownMethod, message: `there is no method '${method}'` } }
  }
}
