import { jsonErrors } from '@tripline/common/command-line/print-error'
import { getErrorCode } from '@tripline/common/error-code'
import { exitCodes } from '@tripline/common/exit-error'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseJson } from '@tripline/engine'
import { convertRefusals, dataDirOptions, publicUrlOption, withDataDir } from '../../data-dir/with-data-dir.ts'
import { unreadableError, unwritableError, usageError } from '../../framework/command-error.ts'
import { defineCommand } from '../../framework/command.ts'
import type { Command } from '../../framework/command.ts'
import type { Context } from '../../framework/context.ts'
import { readNumber } from '../../framework/parse-number.ts'
import { writeText } from '../../framework/write-text.ts'
import { openInput } from '../../input/open-input.ts'
import { peek } from '../../input/peek.ts'
import { limits } from '../../limits.ts'

const keyOption = { kind: 'text', value: '<file>', required: true, help: 'The file of the key pair.' } as const

/** Commands about tokens that need no server: a test issuer, and decoding. */
export const tokenCommands: readonly Command[] = [
  defineCommand({
    name: 'token key',
    needsServer: true,
    summary: 'Creates the key pair of your own issuer and prints its public keys.',
    options: {
      key: { ...keyOption, help: 'The file to write the key pair to, readable by its owner only. An existing file is only read.' },
      json: jsonErrors,
    },
    notes: [
      "Prints the document for 'tripline serve --trusted-jwks-file'; --trusted-issuer names the issuer.",
      'Exit codes: 0 done; 2 wrong arguments; 66 the file has no key pair; 74 it cannot be written.',
    ],
    async run({ options }, context) {
      const { createIssuerKey, toPublicKeySet } = await import('@tripline/server/admin')
      const key = await createIssuerKey()
      const isNew = writeNewFile(resolve(context.cwd, options.key), `${JSON.stringify(key)}\n`)
      const keys = toPublicKeySet(isNew ? key : await readKey(options.key, context))
      await writeText(context.stdout, `${JSON.stringify(keys)}\n`)
      return exitCodes.ok
    },
  }),
  defineCommand({
    name: 'token issue',
    needsServer: true,
    summary: 'Signs a test token, valid or deliberately invalid, with your issuer key.',
    options: {
      key: keyOption,
      issuer: { kind: 'text', value: '<issuer>', required: true, help: 'The issuer, as in serve --trusted-issuer.' },
      audience: { kind: 'text', value: '<audience>', default: 'console', help: 'The audience of the token.' },
      subject: { kind: 'text', value: '<id>', default: 'tester', help: 'The subject of the token.' },
      tenant: { kind: 'text', value: '<id>', default: 'default', help: 'The tenant.' },
      role: { kind: 'list', value: '<role>...', help: 'Roles of the subject. Default: viewer.' },
      'expires-in': { kind: 'text', value: '<seconds>', default: '900', help: 'How long the token is valid.' },
      claims: { kind: 'text', value: '<json>', help: 'Claims that override those above; null removes one: {"exp":null}.' },
      json: { kind: 'flag', help: 'Prints one JSON object: {"token","claims"}.' },
    },
    notes: ['Exit codes: 0 done; 2 wrong arguments; 66 the file has no key pair.'],
    async run({ options }, context) {
      const { signClaims } = await import('@tripline/server/admin')
      const key = await readKey(options.key, context)
      const issuedAt = Math.floor(context.wallClock() / 1_000)
      const seconds = readNumber('--expires-in', options['expires-in'], { min: 1, max: limits.tokenSecondsMax, isWhole: true })
      const usual = {
        iss: options.issuer, aud: options.audience, sub: options.subject, tenant_id: options.tenant,
        roles: options.role.length === 0 ? ['viewer'] : options.role, iat: issuedAt, exp: issuedAt + seconds,
      }
      const said = Object.entries({ ...usual, ...readClaims(options.claims) }).filter(([, value]) => value !== null)
      const claims = Object.fromEntries(said)
      const token = signClaims(key, claims)
      await writeText(context.stdout, options.json ? `${JSON.stringify({ token, claims })}\n` : `${token}\n`)
      return exitCodes.ok
    },
  }),
  defineCommand({
    name: 'token inspect',
    needsServer: true,
    summary: 'Decodes a token, and checks it against a data directory.',
    operands: { usage: '<token|->', help: 'The token, or - to read it from stdin, where no list of processes shows it.' },
    options: {
      'data-dir': { ...dataDirOptions['data-dir'], default: '', help: 'Checks the token against this data directory.' },
      ...publicUrlOption,
      json: { kind: 'flag', help: 'Prints one JSON object: {"header","claims","good","problem"}.' },
    },
    notes: [
      'Without --data-dir the token is only decoded.',
      'Exit codes: 0 done, and with --data-dir the token is valid; 1 it is not valid; 2 not a token; '
        + '66 the data directory cannot be used.',
    ],
    async run({ options, operands: [given = '', second] }, context) {
      if (second !== undefined) throw usageError(`unexpected argument '${second}' for 'tripline token inspect'`)
      const { inspectToken } = await import('@tripline/server/admin')
      const text = given === '-' ? await readToken(context) : given
      const use = { directory: options['data-dir'], creates: false, use: 'read', publicUrl: options['public-url'] ?? '' } as const
      const { header, claims, isGood, problem } = use.directory === ''
        ? await convertRefusals(() => inspectToken(text, undefined))
        : await withDataDir(use, context, ({ identity }) => inspectToken(text, identity))
      const printed = { header, claims, good: isGood ?? null, problem: problem ?? null }
      await writeText(context.stdout, `${JSON.stringify(printed, undefined, options.json ? 0 : 2)}\n`)
      return isGood === false ? exitCodes.found : exitCodes.ok
    },
  }),
]

/** Writes a new file, readable by its owner only; returns false if it exists. */
function writeNewFile(file: string, text: string): boolean {
  try {
    const handle = openSync(file, 'wx', 0o600)
    try {
      writeSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    return true
  } catch (error) {
    if (getErrorCode(error) === 'EEXIST') return false
    throw unwritableError(error)
  }
}

async function readKey(path: string, { cwd }: Context) {
  const { parseIssuerKey } = await import('@tripline/server/admin')
  try {
    return parseIssuerKey(peek(resolve(cwd, path), limits.tokenBytesMax).toString('utf8'))
  } catch (error) {
    throw unreadableError('key file', path, error)
  }
}

function readClaims(text: string | undefined): object {
  if (text === undefined) return {}
  try {
    const claims = parseJson(text)
    if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return claims
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw usageError(`option '--claims' is '${text}'; it takes a JSON object`)
}

async function readToken(context: Context): Promise<string> {
  const input = await openInput('-', context)
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of input.chunks) {
      length += piece.length
      if (length > limits.tokenBytesMax) throw usageError(`stdin has more than the ${limits.tokenBytesMax} bytes of a token`)
      pieces.push(Buffer.from(piece))
    }
  } finally {
    input.close()
  }
  return Buffer.concat(pieces).toString('utf8').trim()
}
