import { expect, test } from 'vitest'
import { mapRole } from './role-mapping.ts'
import type { RoleMappingEntry, TenantRole } from './role-mapping.ts'

const mapping: readonly RoleMappingEntry[] = [
  { claim: 'groups', op: 'contains', value: 'SOC-L2', role: 'analyst' },
  { claim: 'groups', op: 'contains', value: 'SOC-LEAD', role: 'admin' },
  { claim: 'realm_access.roles', op: 'contains', value: 'auditors', role: 'auditor' },
  { claim: 'https://example.com/role', op: 'equals', value: 'reader', role: 'viewer' },
]

test.for<[title: string, claims: { readonly [claim: string]: unknown }, role: TenantRole | undefined]>([
  ['a group of a list', { groups: ['others', 'SOC-L2'] }, 'analyst'],
  ['a group that stands alone', { groups: 'SOC-LEAD' }, 'admin'],
  ['the first entry of several that fit', { groups: ['SOC-LEAD', 'SOC-L2'] }, 'analyst'],
  ['a nested claim', { realm_access: { roles: ['auditors'] } }, 'auditor'],
  ['a claim whose name has dots', { 'https://example.com/role': 'reader' }, 'viewer'],
  ['a list, where one value is asked for', { 'https://example.com/role': ['reader'] }, undefined],
  ['a part of a name', { groups: 'SOC-L2-readonly' }, undefined],
  ['another case', { groups: ['soc-l2'] }, undefined],
  ['a list of lists', { groups: [['SOC-L2']] }, undefined],
  ['an object', { groups: { 'SOC-L2': true } }, undefined],
  ['no claim', {}, undefined],
  ['a group beyond those that are looked at', { groups: ['a', 'b', 'c', 'SOC-L2'] }, undefined],
])('%s', ([, claims, role]) => {
  expect(mapRole(claims, mapping, 3)).toBe(role)
})
