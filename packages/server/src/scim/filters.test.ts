import { AppError } from '@tripline/contract/app-error'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { matchesFilter } from './match-filter.ts'
import { parseScimFilter } from './parse-filter.ts'
import { groupType, userType } from './resource-types.ts'

const ann = {
  schemas: [userType.schema], id: 'u1', externalId: 'E1', userName: 'Ann@acme.example', displayName: 'Ann Lee', active: true,
  name: { givenName: 'Ann', familyName: 'Lee' },
  emails: [{ value: 'ann@acme.example', type: 'work', primary: true }, { value: 'ann@home.example', type: 'home' }],
  meta: { resourceType: 'User', created: '2026-11-20T10:00:00.000Z', lastModified: '2026-11-20T10:00:00.000Z', location: '/scim/v2/Users/u1' },
}

describe('a filter', () => {
  test.for<[filter: string, isFound: boolean]>([
    ['userName eq "ann@ACME.example"', true],
    ['USERNAME EQ "ann@acme.example"', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ann@acme.example"', true],
    ['userName eq "bob@acme.example"', false],
    ['externalId eq "E1"', true],
    ['externalId eq "e1"', false],
    ['id eq "u1"', true],
    ['active eq true', true],
    ['active eq "True"', true],
    ['active eq False', false],
    ['name.familyName co "e"', true],
    ['displayName sw "ann"', true],
    ['displayName ew "lee"', true],
    ['emails eq "ann@home.example"', true],
    ['emails.value eq "ann@home.example"', true],
    ['emails.type eq "work" and emails.value co "home"', true],
    ['emails[type eq "work" and value co "home"]', false],
    ['emails[type eq "home" and value co "home"]', true],
    ['title pr', false],
    ['title eq "x"', false],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department pr', false],
    ['displayName pr', true],
    ['not (displayName pr)', false],
    ['externalId eq null', false],
    ['externalId ne null', true],
    ['title eq null', true],
    ['userName ne "x"', true],
    ['emails.type ne "work"', false],
    ['userName eq "x" or displayName pr and active eq true', true],
    ['(userName eq "x" or displayName pr) and active eq false', false],
    ['meta.lastModified ge "2026-11-20T11:00:00+01:00"', true],
    ['meta.created gt "2026-11-20T10:00:00Z"', false],
    ['meta.created lt "no date"', false],
    ['displayName eq "a \\"quoted\\" one"', false],
  ])('%s', ([filter, isFound]) => {
    expect(matchesFilter(parseScimFilter(userType, filter), ann)).toBe(isFound)
  })

  test.for<[filter: string]>([
    ['userName'], ['userName eq'], ['userName eq ann'], ['userName like "a"'], ['eq "a"'], ['userName eq "a" and'], ['(userName eq "a"'],
    ['userName eq "a")'], ['not userName eq "a"'], ['emails[type eq "work"'], ['emails[[type eq "work"]]'], ['emails[kind eq "work"]'],
    ['salary eq "1"'], ['name.salary eq "1"'], ['name.givenName.more eq "1"'], ['userName eq "a" "b"'], ['userName eq {}'], ['"userName" eq "a"'],
    ['members eq "u1"'], ['userName eq "unended'],
    [`userName eq "${'a'.repeat(limits.scim.filterLengthMax)}"`],
    [`${'('.repeat(limits.scim.filterDepthMax + 1)}userName pr${')'.repeat(limits.scim.filterDepthMax + 1)}`],
    [Array.from({ length: limits.scim.filterTokensMax / 2 }, () => 'title pr').join(' or ')],
  ])('%s is refused', ([filter]) => {
    expect(() => parseScimFilter(userType, filter)).toThrow(expect.objectContaining({
      constructor: AppError, code: 'INVALID_PARAMETER', details: { scim_type: 'invalidFilter' },
    }))
  })

  test('of a group selects by the id of a member, in this case of letters', () => {
    const group = { displayName: 'SOC', members: [{ value: 'u1', type: 'User' }] }
    const isFound = (filter: string): boolean => matchesFilter(parseScimFilter(groupType, filter), group)
    expect(isFound('members eq "u1"')).toBe(true)
    expect(isFound('members.value eq "U1"')).toBe(false)
    expect(isFound('members[value eq "u1"] and displayName eq "soc"')).toBe(true)
  })
})
