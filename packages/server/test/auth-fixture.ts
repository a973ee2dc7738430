import type { User } from '@tripline/model/access/user'
import { createHash, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { createSigningKey, openSigningKeys } from '../src/access/tokens/signing-keys.ts'
import type { Issuer } from '../src/access/tokens/access-token.ts'

/** A clock that is set by hand, and bytes that are as good as random but the same in every run. */
export class AuthFixture {
  nowMs = 1_800_000_000_000
  #drawn = 0

  readonly now = (): number => this.nowMs
  readonly elapsedMs = (): number => this.nowMs - 1_700_000_000_000

  readonly randomBytes = (count: number): Uint8Array => {
    const bytes = Buffer.alloc(count)
    for (let at = 0; at < count; at += 32) {
      createHash('sha256').update(String(this.#drawn++)).digest().copy(bytes, at)
    }
    return bytes
  }

  pass(ms: number): void {
    this.nowMs += ms
  }
}

/** A user who may log in. */
export const ann: User = {
  id: 'u-1', email: 'ann@acme.example', name: 'Ann', roles: ['analyst'], isActive: true,
  interface: 'console', permissionsVersion: 1, version: 1, createdAt: 0, updatedAt: 0,
}

export async function openIssuer(world: AuthFixture): Promise<Issuer> {
  return { name: 'https://tripline.example', keys: await openSigningKeys([createSigningKey(world)]) }
}

/** Prints a token of any header and payload, as only an attacker would; `signature` is made of the first two parts. */
export function printToken(header: unknown, payload: unknown, signature: (text: string) => string | Buffer): string {
  const text = `${encode(header)}.${encode(payload)}`
  const signed = signature(text)
  return `${text}.${typeof signed === 'string' ? signed : signed.toString('base64url')}`
}

export function ed25519(key: KeyObject): (text: string) => Buffer {
  return (text) => sign(null, Buffer.from(text), key)
}

/** Text is taken as it is, so that a part can be what is no JSON. */
function encode(part: unknown): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
}
