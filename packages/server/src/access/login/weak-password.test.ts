import { describe, expect, test } from 'vitest'
import { findPasswordWeakness } from './weak-password.ts'

describe('refuses', () => {
  test.for<[password: string, reason: RegExp]>([
    ['aaaaaaaaaaaa', /different/],
    ['111111111111111111', /different/],
    ['abababababab', /different/],
    ['secret7secret7', /repeats/],
    ['Tr1p9Tr1p9Tr1p9', /repeats/],
    ['abcdefghijklmn', /keyboard/],
    ['123456789012', /keyboard/],
    ['098765432109', /keyboard/],
    ['qwertyuiopqwe', /repeats|keyboard/],
    ['1qaz2wsx3edc', /keyboard/],
    ['password1234', /common/],
    ['Password2026!', /common/],
    ['P@ssw0rd2026!', /common/],
    ['passwordpassword', /repeats/],
    ['WelcomeAdmin1', /common/],
    ['administrator1', /common/],
    ['Tripline-2026', /common/],
    ['changeme123456', /common/],
    ['correct horse battery staple', /common/],
    ['Summer2026!!!', /common/],
    ['letmein-letmein-1', /common/],
    ['alice.jones1!', /email/],
    ['alice.jones@example.org', /email/],
    ['Example.org-2026', /email/],
    ['jones.example.alice.jones', /email/],
    ['examplekx9#zwv', /email/],
  ])('%s', ([password, reason]) => {
    expect(findPasswordWeakness(password, 'Alice.Jones@example.org')).toMatch(reason)
  })
})

test.for([
  'kettle orbit 41 marble', 'xK7#pq9Lw2zT', 'my dog ate nine biscuits', 'пароль-который-длинный', '4kePfW-RGE-PyxuM2xtB',
  'correct horse battery', 'ann walks home at 6', 'examplekx9#zwv2',
])(
  'accepts %s',
  (password) => {
    expect(findPasswordWeakness(password, 'ann@example.org')).toBeUndefined()
  },
)
