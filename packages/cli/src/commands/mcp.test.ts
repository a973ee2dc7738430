import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'

/* The protocol's own client library against the command as an assistant starts it. */

const rule = `title: Failed login
logsource: { product: app }
detection: { selection: { action: fail }, condition: selection }
`
const folder = createFolder({ 'rule.yml': rule, 'broken.yml': 'title: Broken\n' })
const event = '{"_logsource":{"product":"app"},"action":"fail"}'

describe('an assistant', () => {
  const client = new Client({ name: 'test', version: '1' })
  beforeAll(async () => {
    const program = fileURLToPath(new URL('../main.ts', import.meta.url))
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], cwd: folder }))
  })
  afterAll(async () => {
    await client.close()
    rmSync(folder, { recursive: true })
  })

  const call = async (name: string, args: { readonly [name: string]: unknown }) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...args } })
    return { text: (content as { readonly text: string }[]).map(({ text }) => text).join(''), isError }
  }

  test('finds tools that only read', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'tripline_detect', 'tripline_rules_check', 'tripline_rules_lint', 'tripline_rules_test', 'tripline_rules_cost', 'tripline_rules_health',
      'tripline_rules_coverage', 'tripline_explain', 'tripline_convert', 'tripline_search', 'tripline_verify', 'tripline_limits',
    ])
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
    const lint = tools.find(({ name }) => name === 'tripline_rules_lint')
    expect(Object.keys(lint?.inputSchema.properties ?? {})).not.toContain('fix')
  })

  test('detects, explains and checks', async () => {
    const detected = await call('tripline_detect', { operands: ['rule.yml'], stdin: event })
    expect(detected.isError).toBe(false)
    expect(detected.text).toContain('"title":"Failed login"')
    expect((await call('tripline_explain', { operands: ['rule.yml'], stdin: event })).text).toContain('✓ line 1: Failed login')
    const checked = await call('tripline_rules_check', { operands: ['broken.yml'], json: true })
    expect([checked.isError, checked.text.includes('(exit code 1)')]).toEqual([false, true])
  })

  test.for<[name: string, args: { readonly [name: string]: unknown }, message: string]>([
    ['tripline_detect', { operands: ['nowhere.yml'] }, 'nowhere.yml'],
    ['tripline_rules_lint', { operands: ['rule.yml'], fix: true }, "there is no argument 'fix'"],
    ['tripline_detect', { operands: ['rule.yml'], output: 'picture' }, "option '--output' is 'picture'"],
  ])('%s %j is an error', async ([name, args, message]) => {
    const { text, isError } = await call(name, args)
    expect(isError).toBe(true)
    expect(text).toContain(message)
  })

  test('an unknown tool is refused', async () => {
    await expect(call('tripline_ingest', {})).rejects.toThrow("there is no tool 'tripline_ingest'")
  })
})

test.for<[line: string, code: number | undefined]>([
  ['nonsense', -32_700],
  ['[]', -32_600],
  ['{"jsonrpc":"2.0","id":1,"method":"resources/list"}', -32_601],
  ['{"jsonrpc":"2.0","method":"notifications/initialized"}', undefined],
])('answers %s with %s', async ([line, code]) => {
  const { stdout } = await runCaptured('mcp', { stdin: `${line}\n\n` })
  expect(stdout === '' ? undefined : (JSON.parse(stdout) as { readonly error: { readonly code: number } }).error.code).toBe(code)
})
