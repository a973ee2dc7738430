import { describe, expect, test } from 'vitest'
import { isAllowed, isRole, permissions } from './permission.ts'
import type { Permission, Grant } from './permission.ts'

/** The table of docs/reference/console-api.md, written apart from the code: a column for each grant, y for yes. */
const columns: readonly Grant[] = ['viewer', 'analyst', 'engineer', 'admin', 'auditor', 'operator', 'read_only', 'read_write']
const matrix: readonly [action: Permission, cells: string][] = [
  // viewer analyst engineer admin auditor operator read_only read_write
  ['own_account', 'yyyyyy--'],
  ['read', 'yyyyy-yy'],
  ['update_alerts', '-yyy---y'],
  ['answer_alerts', 'yyyy---y'],
  ['suppress_briefly', '-yyy----'],
  ['suppress', '--yy----'],
  ['test_rules', 'yyyy----'],
  ['backtest_rules', '-yyy----'],
  ['edit_rules', '--yy----'],
  ['edit_connectors', '--yy----'],
  ['import_assets', '--yy---y'],
  ['send_events', '--yy---y'],
  ['edit_playbooks', '--yy----'],
  ['read_webhooks', '--yy--yy'],
  ['edit_webhooks', '--yy---y'],
  ['attest_compliance', '--yyy---'],
  ['read_requests', '--yyy-yy'],
  ['edit_requests', '--yy----'],
  ['collect_evidence', '--yy---y'],
  ['export_own', 'yyyyy-yy'],
  ['export_all', '-yyyy-yy'],
  ['administer_tenant', '---y----'],
  ['read_audit', '---yy---'],
  ['export_audit', '---yy-yy'],
  ['administer_platform', '-----y--'],
]

test('the matrix covers every permission', () => {
  expect(matrix.map(([action]) => action)).toEqual(Object.keys(permissions))
})

const cells = matrix.flatMap(([action, row]) =>
  columns.map((grant, index): [Grant, string, Permission] => [grant, row[index] === 'y' ? 'may' : 'may not', action]))

test.for<[grant: Grant, may: string, action: Permission]>(cells)('%s %s %s', ([grant, may, action]) => {
  expect(isAllowed([grant], action)).toBe(may === 'may')
})

describe('several roles', () => {
  test('grant what any of them grants', () => {
    expect(isAllowed(['viewer', 'auditor'], 'read_audit')).toBe(true)
    expect(isAllowed(['viewer', 'auditor'], 'edit_rules')).toBe(false)
  })

  test('grant nothing if empty', () => {
    expect(matrix.filter(([action]) => isAllowed([], action))).toEqual([])
  })
})

test.for<[text: unknown, answer: boolean]>([
  ['admin', true],
  ['Admin', false],
  ['read_write', false],
  ['__proto__', false],
  [['admin'], false],
  [undefined, false],
])('%j is a role: %s', ([text, answer]) => {
  expect(isRole(text)).toBe(answer)
})
