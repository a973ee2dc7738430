import { createServer } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { runCaptured } from '../test/run-captured.ts'

/** A command of the tour: where it goes, whether it shows the token, and what it sends. */
type Curl = { readonly url: string; readonly showsToken: boolean; readonly body: string | undefined }

function curlsOf(text: string): Curl[] {
  const curls = text.matchAll(/curl -s '?([^ '\n]+)'?(?: -H '(?:[^']*)')?( -H "authorization: Bearer \$TOKEN")?(?: -d '(.*?)')?(?: \| sed .*)?$/gm)
  return Array.from(curls, ([, url = '', token, body]) => ({ url, showsToken: token !== undefined, body: body?.replaceAll(`'\\''`, `'`) }))
}

/** Does what the tour says, the login first, and gives what was answered to the others. */
async function answersTo(text: string): Promise<unknown[]> {
  const [login, ...others] = curlsOf(text)
  const { access_token: token } = (await answerTo(login!, '')) as { access_token: string }
  return await Promise.all(others.map((curl) => answerTo(curl, token)))
}

async function answerTo({ url, showsToken, body }: Curl, token: string): Promise<unknown> {
  const headers = { ...(showsToken && { authorization: `Bearer ${token}` }), ...(body !== undefined && { 'content-type': 'application/json' }) }
  const response = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) })
  return await response.json()
}

test('shows what the sample events made, how to log in, and three commands that work', async () => {
  let answers: unknown[] = []
  const { code, stdout, stderr } = await runCaptured('demo --port 0', {
    untilInterrupted: async (text) => { answers = await answersTo(text) },
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^Tripline runs \d+ sample rules at http:\/\/127\.0\.0\.1:\d+ and was fed \d+ sample events\. It detected:\n\nMATCHES {2}LEVEL/)
  expect(stdout).toMatch(/^ +[1-9]\d* {2}(low|medium|high|critical) +\S/m)
  expect(answers).toMatchObject([
    { accepted: 1, rejected: 0 },
    { rules: expect.arrayContaining([expect.anything()]) },
    { matches: expect.arrayContaining([expect.anything()]) },
  ])
})

test('takes a free port when the one asked for is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const taken = typeof address === 'object' ? address?.port : undefined
  try {
    const { code, stdout } = await runCaptured(`demo --port ${taken}`)
    expect(code).toBe(0)
    expect(stdout).not.toContain(`127.0.0.1:${taken} `)
  } finally {
    other.close()
  }
})

test.for(['eighty', '65536', '-1'])('refuses port %s', async (port) => {
  expect(await runCaptured(`demo --port=${port}`)).toEqual({
    code: 2,
    stdout: '',
    stderr: `tripline: option '--port' is '${port}'; it takes a number from 0 to 65535\n`,
  })
})
