/**
 * Walks an analyst's hour by keyboard alone, and writes keys and times to `bench/results/console.md`:
 *
 *     npm run trial:triage
 *
 * 300 alerts wait: a tool of the administrators makes most of them, two other rules are harmless on known machines, and one
 * machine is attacked. The noise is closed in bulk with an exception, the attack becomes an incident, a rule is tightened after
 * a backtest, and what is left is exported.
 */
import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import { logIn, openConsole, openPage } from '../open-console.ts'
import { describeMachine, printTable, writeSection } from './write-section.ts'
import type { Row } from './write-section.ts'

type RuleRow = { readonly name: string; readonly image: string; readonly level: string; readonly hosts: readonly string[] }

const hosts = (count: number, prefix: string): readonly string[] => Array.from({ length: count }, (_, index) => `${prefix}-${index}.example.com`)
/** Elements that are passed at most on the way to one. */
const stepsMax = 200
const attacked = 'srv-7.example.com'

/** What waits in the morning: 300 alerts of five rules. */
const ruleRows: readonly RuleRow[] = [
  { name: 'Remote administration tool', image: 'admin-tool', level: 'medium', hosts: hosts(180, 'wks') },
  { name: 'Archive written by a script', image: 'archiver', level: 'low', hosts: hosts(70, 'build') },
  { name: 'Scheduled task created', image: 'tasks', level: 'medium', hosts: hosts(46, 'ops') },
  { name: 'Credential dump', image: 'dump', level: 'critical', hosts: [attacked] },
  { name: 'Shell started by a service', image: 'shell', level: 'high', hosts: [attacked, 'srv-8.example.com', 'srv-9.example.com'] },
]
const alertCount = ruleRows.reduce((sum, row) => sum + row.hosts.length, 0)
const toId = (index: number): string => `00000000-0000-4000-8000-00000000005${index}`
const printRule = ({ name, image, level }: RuleRow, index: number): string => `title: ${name}
id: ${toId(index)}
status: stable
level: ${level}
logsource: { category: process_creation, product: windows }
detection:
  selection:
    Image|endswith: \\${image}.exe
  condition: selection
`
const events = ruleRows.flatMap(({ image, hosts: on }) => on.map((host, index) => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: `C:\\Tools\\${image}.exe`, Computer: host,
  User: image === 'admin-tool' ? 'EXAMPLE\\admin' : `EXAMPLE\\user-${index}`, CommandLine: `${image}.exe /run ${index}`,
  ParentImage: index % 2 === 0 ? 'C:\\Windows\\services.exe' : 'C:\\Windows\\explorer.exe',
})))

const world = await openConsole(Object.fromEntries(ruleRows.map((row, index) => [`rule-${index}`, printRule(row, index)])))
try {
  // The incident is the analyst's: by default the server would have made one of the two alerts.
  await world.call('/v1/settings', { method: 'PATCH', body: { incident_grouping: 'off' } })
  await world.ingest(events, alertCount)
  // The effect of an exception is counted over what searches find.
  while ((await world.call<{ readonly total: number }>('/v1/search?limit=1')).total < events.length) {
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await walk()
} finally {
  await world.close()
}

async function walk(): Promise<void> {
  const { page, context, problems } = await openPage(world)
  await logIn(world, page, '/')
  const { keyboard } = page
  const rows: Row[] = []
  let [keys, letters, waitedMs] = [0, 0, 0]
  const press = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await keyboard.press(name)
    keys += names.length
  }
  const type = async (text: string): Promise<void> => {
    await keyboard.insertText(text)
    letters += [...text].length
  }
  /** Waits for what the page is to show, and counts how long a person would wait for it. */
  const see = async (shown: { readonly waitFor: () => Promise<void> }): Promise<void> => {
    const startedAt = performance.now()
    await shown.waitFor()
    waitedMs += performance.now() - startedAt
  }
  const say = (text: RegExp | string) => page.getByRole('status').getByText(text).first()
  const step = async (name: string, walkStep: () => Promise<void>): Promise<void> => {
    ;[keys, letters, waitedMs] = [0, 0, 0]
    await walkStep()
    rows.push([name, keys, letters, `${(waitedMs / 1_000).toFixed(1)} s`])
    process.stdout.write(`${name}: ${keys} keys, ${letters} letters, ${(waitedMs / 1_000).toFixed(1)} s waited\n`)
  }
  const runCommand = async (text: string): Promise<void> => {
    await press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await type(text)
    await page.getByRole('option').first().waitFor()
    await press('Enter')
  }
  /** Moves the focus with Tab to a control, and counts the way. */
  const tabTo = async (control: Locator): Promise<void> => {
    await control.waitFor()
    for (let step = 0; step < stepsMax; step++) {
      // The editor of rules stands in a shadow root.
      if (await control.evaluate((element) => (element.getRootNode() as Document | ShadowRoot).activeElement === element)) return
      await press('Tab')
    }
    throw new Error(`Tab does not reach ${String(control)}`)
  }
  const anyAlert = page.getByRole('row', { name: /Remote administration tool|Shell|Credential|Archive|Scheduled/ }).first()
  const groups = page.getByRole('grid', { name: 'Groups of alerts' })
  const panel = page.getByRole('complementary').last()

  await step(`${alertCount} alerts, grouped by rule`, async () => {
    await press('g', 'a')
    await see(anyAlert)
    await runCommand('by: rule')
    await see(groups.getByRole('row', { name: /Remote administration tool/ }))
  })
  await step('the noisiest rule: an exception from one of its alerts, for all machines of the tool', async () => {
    await press('j', 'Enter')
    await see(page.getByText(/^180 alerts/))
    await press('j', 'Enter')
    await see(panel.getByText('Image ends with'))
    await press('e')
    const dialog = page.getByRole('dialog', { name: 'Exception from this alert' })
    await see(dialog.getByText(/would have hidden/))
    await tabTo(dialog.getByLabel('Computer'))
    await press('Space')
    await see(dialog.getByText('would have hidden 180 of 180'))
    await tabTo(dialog.getByLabel('Reason'))
    await type('tool of the administrators')
    await press('Enter')
    await see(page.getByText('The exception is in effect.'))
  })
  await step('its 180 alerts closed as false positives, with a preview', async () => {
    await press('g', 'a')
    await runCommand('by: rule')
    await see(groups.getByRole('row', { name: /Remote administration tool/ }))
    await press('Home', 'f')
    await see(page.getByRole('dialog').getByText('180 change.'))
    await press('Enter')
    await see(say('180 alerts are false positives'))
  })
  await step('two more groups closed as benign', async () => {
    for (const count of [70, 46]) {
      await press('j', 'b')
      await see(page.getByRole('dialog').getByText(`${count} change.`))
      await press('Enter')
      await see(say(`${count} alerts are benign`))
    }
  })
  await step('the rest selected and made an incident, taken into work, with a comment, its timeline read', async () => {
    await press('g', 'a', '/')
    await type(attacked.split('.')[0] ?? '')
    await press('Escape')
    await see(page.getByRole('row', { name: /Credential dump/ }).first())
    await press('Control+a', 'n')
    await see(page.getByRole('link', { name: 'Show the incident' }))
    await press('g', 'i')
    await see(page.getByRole('grid').getByRole('row', { name: /srv-7/ }).first())
    await press('j', 'Enter')
    await see(panel.getByRole('link', { name: attacked }).first())
    await press('i')
    await see(say(/Investigating/))
    await press('c')
    await type('the host is isolated; memory is being read')
    await press('Control+Enter')
    await see(panel.getByText('commented: the host is isolated').first())
  })
  await step('a rule tightened: changed, compared with what it matched, saved', async () => {
    await press('Escape', 'g', 'r')
    await see(page.getByRole('heading', { level: 1, name: 'Rules' }))
    await see(page.getByRole('row', { name: /Shell started by a service/ }).first())
    await press('/')
    await type('Shell')
    await see(page.getByText(/^1 rule/))
    await press('Escape', 'j', 'o')
    const editor = page.getByRole('textbox', { name: 'Text of the rule' })
    await see(editor)
    await press('2')
    await tabTo(editor)
    await press(...Array.from({ length: 7 }, () => 'ArrowDown'), 'End', 'Enter')
    await type("ParentImage|endswith: '\\services.exe'")
    // The first closes the suggestions, the second gives Tab back to the page.
    await press('Escape', 'Escape')
    await tabTo(page.getByRole('button', { name: 'Compare with the saved text' }))
    await press('Enter')
    await see(page.getByText(/match(es are| is) gone/))
    await press('Control+s')
    await see(page.getByText('Saved as version 2.'))
  })
  await step('all alerts exported as a file', async () => {
    await press('g', 'a')
    await see(anyAlert)
    const saved = page.waitForEvent('download')
    await runCommand('Export as JSON')
    const file = await saved
    await see(page.getByText(/^Exported \d+ rows? as/))
    const alerts = JSON.parse(readFileSync(await file.path(), 'utf8')) as readonly object[]
    if (alerts.length !== alertCount) throw new Error(`the export has ${alerts.length} of ${alertCount} alerts`)
  })
  const sum = (column: 1 | 2): number => rows.reduce((total, row) => total + Number(row[column]), 0)
  const waited = rows.reduce((total, row) => total + Number.parseFloat(String(row[3])), 0)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  await context.close()
  writeSection("An analyst's hour", `${alertCount} alerts of ${ruleRows.length} rules, by keyboard alone: what is pressed, what is typed, and how long the pages
let a person wait for what each key was to show. What a person reads and thinks comes on top. Measured ${describeMachine('trial:triage')}.

${printTable(['step', 'keys', 'letters typed', 'waited'], [...rows, ['all', sum(1), sum(2), `${waited.toFixed(1)} s`]])}

In the prototype of three pages, which had no groups to act on, no exceptions and no incidents, each alert took a key to go to it and one to
decide: ${2 * alertCount} keys for the same ${alertCount} alerts, counted from its keys and not measured, and neither the exception nor the incident.`)
}
