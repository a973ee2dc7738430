import type { TokenClaims } from '@tripline/model/access/role-mapping'
import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { readProfile } from './read-profile.ts'

const longName = 'n'.repeat(limits.admin.nameLengthMax)

test.for<[title: string, claims: TokenClaims, email: string | undefined, name: string]>([
  ['the standard claims', { email: 'ann@acme.example', name: 'Ann' }, 'ann@acme.example', 'Ann'],
  ['the claims of access tokens', { upn: 'ann@acme.example', preferred_username: 'ann' }, 'ann@acme.example', 'ann'],
  ['no claim', {}, undefined, 'subject-1'],
  ['an empty name', { name: '', email: 'ann@acme.example' }, 'ann@acme.example', 'ann@acme.example'],
  ['a blank name', { name: '   ', preferred_username: 'ann' }, undefined, 'ann'],
  ['a name of another type', { name: ['Ann'] }, undefined, 'subject-1'],
  ['a name that turns its direction', { name: 'Ann\u202e' }, undefined, 'subject-1'],
  ['the longest name', { name: longName }, undefined, longName],
  ['a longer name', { name: `${longName}n` }, undefined, 'subject-1'],
  ['an address that is none', { email: 'ann', upn: 'ann@acme.example' }, 'ann@acme.example', 'ann@acme.example'],
])('%s', ([, claims, email, name]) => {
  expect(readProfile(claims, 'subject-1')).toEqual({ email, name })
})
