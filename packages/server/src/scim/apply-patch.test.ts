import { AppError } from '@tripline/contract/app-error'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { applyPatch } from './apply-patch.ts'
import { groupType, userType } from './resource-types.ts'

const work = { value: 'ann@acme.example', type: 'work', primary: true }
const home = { value: 'ann@home.example', type: 'home' }
const ann = { userName: 'ann', displayName: 'Ann', active: true, name: { givenName: 'Ann', familyName: 'Lee' }, emails: [work, home] }
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const patch = (...operations: readonly object[]) => applyPatch(userType, ann, { Operations: operations })

describe('an operation', () => {
  test.for<[what: string, operation: object, changed: object]>([
    ['replaces a value', { op: 'replace', path: 'displayName', value: 'Ann Lee' }, { displayName: 'Ann Lee' }],
    ['of Entra ID with a capital and a text for a boolean', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['of Okta without a path', { op: 'replace', value: { active: false } }, { active: false }],
    ['without a path whose keys are paths', { op: 'Add', value: { 'name.givenName': 'Anna', 'emails[type eq "work"].value': 'a@b.example' } },
      { name: { givenName: 'Anna', familyName: 'Lee' }, emails: [home, { ...work, value: 'a@b.example' }] }],
    ['without a path leaves out what it does not keep', { op: 'replace', value: { id: 'x', schemas: [], [enterprise]: { department: 'IT' }, [`${enterprise}:department`]: 'IT' } }, {}],
    ['replaces parts of a name', { op: 'replace', path: 'name', value: { familyName: 'Ray' } }, { name: { givenName: 'Ann', familyName: 'Ray' } }],
    ['replaces one part', { op: 'replace', path: 'name.familyName', value: 'Ray' }, { name: { givenName: 'Ann', familyName: 'Ray' } }],
    ['under the URN of the schema', { op: 'replace', path: `${userType.schema}:name.familyName`, value: 'Ray' }, { name: { givenName: 'Ann', familyName: 'Ray' } }],
    ['removes a value', { op: 'remove', path: 'displayName' }, { displayName: undefined }],
    ['removes the last part of a name', { op: 'remove', path: 'name' }, { name: undefined }],
    ['sets nothing for null', { op: 'replace', path: 'displayName', value: null }, { displayName: undefined }],
    ['changes the values of a filter', { op: 'replace', path: 'emails[type eq "work"].value', value: 'new@acme.example' }, { emails: [home, { ...work, value: 'new@acme.example' }] }],
    ['makes another value primary', { op: 'replace', path: 'emails[type eq "home"].primary', value: 'True' }, { emails: [{ ...work, primary: false }, { ...home, primary: true }] }],
    ['adds a value that its filter describes', { op: 'Add', path: 'emails[type eq "other"].value', value: 'x@y.example' }, { emails: [work, home, { type: 'other', value: 'x@y.example' }] }],
    ['adds a value', { op: 'add', path: 'emails', value: [{ value: 'x@y.example' }] }, { emails: [work, home, { value: 'x@y.example' }] }],
    ['adds a value that is there', { op: 'add', path: 'emails', value: [home] }, { emails: [work, home] }],
    ['replaces all values', { op: 'replace', path: 'emails', value: [home] }, { emails: [home] }],
    ['removes values by a filter', { op: 'remove', path: 'emails[type eq "home"]' }, { emails: [work] }],
    ['removes a part of values', { op: 'remove', path: 'emails[type eq "work"].primary' }, { emails: [{ value: work.value, type: 'work' }, home] }],
    ['removes all values', { op: 'remove', path: 'emails' }, { emails: undefined }],
    ['of an attribute that is not kept', { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Fra' }, {}],
    ['of an extension', { op: 'Replace', path: `${enterprise}:manager`, value: 'x' }, {}],
  ])('%s', ([, operation, changed]) => {
    expect(patch(operation)).toEqual(JSON.parse(JSON.stringify({ ...ann, ...changed })))
    expect(ann.emails).toEqual([work, home])
  })

  test.for<[what: string, scimType: string, operation: object]>([
    ['of an unknown kind', 'invalidSyntax', { op: 'move', path: 'displayName', value: 'x' }],
    ['without a kind', 'invalidSyntax', { path: 'displayName', value: 'x' }],
    ['that removes without a path', 'noTarget', { op: 'remove' }],
    ['without path and object', 'invalidValue', { op: 'add', value: 'x' }],
    ['at an unknown attribute', 'invalidPath', { op: 'add', path: 'salary', value: 1 }],
    ['at a part of an unknown one', 'invalidPath', { op: 'add', path: 'name.salary', value: 'x' }],
    ['with a filter of no list', 'invalidPath', { op: 'add', path: 'name[givenName eq "x"]', value: 'x' }],
    ['with a path that is cut', 'invalidPath', { op: 'add', path: 'emails[type eq "work"', value: 'x' }],
    ['with a filter that cannot be read', 'invalidFilter', { op: 'add', path: 'emails[type like "work"].value', value: 'x' }],
    ['with a path that is no text', 'invalidPath', { op: 'add', path: 3, value: 'x' }],
    ['at the id', 'mutability', { op: 'replace', path: 'id', value: 'x' }],
    ['at the groups', 'mutability', { op: 'add', path: 'groups', value: [{ value: 'g1' }] }],
    ['with a number for a text', 'invalidValue', { op: 'replace', path: 'displayName', value: 3 }],
    ['with a text that is neither true nor false', 'invalidValue', { op: 'replace', path: 'active', value: 'yes' }],
    ['with a text for an object', 'invalidValue', { op: 'replace', path: 'name', value: 'Ann' }],
    ['with a line break', 'invalidValue', { op: 'replace', path: 'displayName', value: 'a\nb' }],
    ['with a value that is too long', 'invalidValue', { op: 'replace', path: 'displayName', value: 'a'.repeat(limits.scim.valueLengthMax + 1) }],
    ['that replaces by a filter without a value', 'noTarget', { op: 'replace', path: 'emails[value co "nowhere"].type', value: 'x' }],
  ])('%s is refused', ([, scimType, operation]) => {
    expect(() => patch(operation)).toThrow(expect.objectContaining({ constructor: AppError, details: { scim_type: scimType } }))
  })

  test.for<[what: string, body: { readonly [name: string]: unknown }, scimType: string]>([
    ['none', {}, 'invalidSyntax'], ['an empty list', { Operations: [] }, 'invalidSyntax'], ['a text', { Operations: ['x'] }, 'invalidSyntax'],
    ['too many', { Operations: Array.from({ length: limits.scim.operationsMax + 1 }, () => ({ op: 'add', value: {} })) }, 'tooMany'],
  ])('%s is refused', ([, body, scimType]) => {
    expect(() => applyPatch(userType, ann, body)).toThrow(expect.objectContaining({ details: { scim_type: scimType } }))
  })
})

describe('members', () => {
  const group = { displayName: 'SOC', members: [{ value: 'u1' }, { value: 'u2' }] }
  test.for<[what: string, operation: object, members: readonly string[]]>([
    ['are added one by one', { op: 'Add', path: 'members', value: [{ value: 'u3' }] }, ['u1', 'u2', 'u3']],
    ['are added once', { op: 'Add', path: 'members', value: [{ value: 'u2', display: 'Bob' }] }, ['u1', 'u2']],
    ['are removed by their values, as Entra ID does', { op: 'Remove', path: 'members', value: [{ value: 'u1' }] }, ['u2']],
    ['are removed by a filter, as Okta does', { op: 'remove', path: 'members[value eq "u2"]' }, ['u1']],
    ['are replaced', { op: 'replace', path: 'members', value: [{ value: 'u9' }] }, ['u9']],
    ['are replaced without a path', { op: 'replace', value: { members: [{ value: 'u9' }], displayName: 'SOC' } }, ['u9']],
    ['are all removed', { op: 'remove', path: 'members' }, []],
  ])('%s', ([, operation, members]) => {
    const { members: left = [] } = applyPatch(groupType, group, { Operations: [operation] })
    expect((left as { readonly value: string }[]).map(({ value }) => value)).toEqual(members)
  })

  test('more than an attribute may have are refused', () => {
    const value = Array.from({ length: limits.scim.valuesMax }, (_, i) => ({ value: `v${i}` }))
    expect(() => applyPatch(groupType, group, { Operations: [{ op: 'add', path: 'members', value }] }))
      .toThrow(expect.objectContaining({ details: { scim_type: 'tooMany' } }))
  })
})
