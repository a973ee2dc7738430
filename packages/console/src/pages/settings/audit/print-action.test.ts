import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { enAudit } from '../../../i18n/en/settings/audit.ts'
import { auditActions } from './actions.ts'
import { printAction, printShortId, printTarget } from './print-action.ts'

const server = join(import.meta.dirname, '../../../../../server/src')
const actions = new Set(globSync('**/*.ts', { cwd: server }).filter((path) => !path.endsWith('.test.ts')).flatMap((path) =>
  [...readFileSync(join(server, path), 'utf8').matchAll(/\baction: '([a-z_]+\.[a-z_]+)'/g)].map(([, action = '']) => action)))

test('every action that the server records is one that words find', () => {
  expect([...actions].filter((action) => !auditActions.includes(action))).toEqual([])
  expect(auditActions).toEqual([...new Set(auditActions)].toSorted())
})

test('every action that the server records has words', () => {
  expect(actions.size).toBeGreaterThan(80)
  const words = auditActions.flatMap((action) => {
    const [noun = '', verb = ''] = action.split('.')
    return [`audit.noun.${noun}`, `audit.verb.${verb}`]
  })
  expect(words.filter((word) => !Object.hasOwn(enAudit, word))).toEqual([])
})

test.for([
  ['rule.update', 'Rule: changed'],
  ['connector.status_change', 'Connector: state changed'],
  ['rule.vanish', 'Rule: vanish'],
  ['other.update', 'other: changed'],
  ['single', 'single'],
])('%s is %s', ([action = '', text]) => {
  expect(printAction(action)).toBe(text)
})

test.for([
  ['0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001', '0198f1c0…0001'],
  ['a.meier@example.com', 'a.meier@example.com'],
  ['acme', 'acme'],
])('the id %s is shown as %s', ([id = '', text]) => {
  expect(printShortId(id)).toBe(text)
})

test.for([
  [{ type: 'api_key', id: 'pxayprd9' }, 'API key pxayprd9'],
  [{ type: 'rule', id: '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001' }, 'Rule 0198f1c0…0001'],
  [{ type: 'events', id: 'search' }, 'Events'],
  [{ type: 'list', id: 'alerts' }, 'List alerts'],
  [{ type: 'unknown', id: 'acme' }, 'unknown acme'],
] as const)('the target %o is shown as %s', ([target, text]) => {
  expect(printTarget(target)).toBe(text)
})
