import type { AlertDetailBody } from '@tripline/contract/console/alert'
import type { EventDetailBody } from '@tripline/contract/console/event'
import type { ExplanationBody } from '@tripline/contract/console/rule'
import { t } from '../../../i18n/translate.ts'
import { listReasons } from '../../../ui/explain-tree.tsx'
import type { DraftRequest, DraftedValue } from '../../../workbench/messages.ts'

/** Fields that say what an event is about where no condition is known, such as that of a correlation; the host and user say where. */
const tellingFields = [
  'Image', 'CommandLine', 'ParentImage', 'OriginalFileName', 'TargetFilename', 'TargetObject', 'ImageLoaded', 'PipeName', 'ServiceName',
  'TaskName', 'QueryName', 'DestinationHostname', 'DestinationIp', 'DestinationPort', 'ScriptBlockText', 'SourceImage', 'TargetImage',
  'EventID', 'eventSource', 'eventName', 'type', 'SYSCALL', 'exe', 'c-uri', 'cs-method', 'message',
]
/** Values of a draft where no condition is known: more describe the one event and no other. */
const tellingMax = 4
/** Characters of a value that a rule is to compare as a whole. */
const valueLengthMax = 4_000

/** What is known of an alert's first event. */
type FirstEvent = Pick<EventDetailBody, 'fields' | 'logsources'>

/** A rule for what an alert is about: the fields that its rule matched, with the values of the event and its log source. */
export function describeAlert(
  { rule_title: title, severity, severity_raw: raw }: Pick<AlertDetailBody, 'rule_title' | 'severity' | 'severity_raw'>,
  explanation: ExplanationBody | undefined,
  { fields, logsources }: FirstEvent,
): DraftRequest {
  const values = new Map<string, DraftedValue>()
  const add = (field: string, value: unknown): void => {
    if (isValue(value) && !values.has(field)) values.set(field, { field, value })
  }
  for (const { field, actual } of explanation === undefined ? [] : listReasons(explanation)) {
    if (field !== null) add(field, actual ?? fields[field])
  }
  if (values.size === 0) {
    for (const field of tellingFields.filter((one) => Object.hasOwn(fields, one)).slice(0, tellingMax)) add(field, fields[field])
  }
  const level = raw === undefined ? severity : 'informational'
  return { finds: [...values.values()], head: { title: t('rule.fromAlert', { title }), logsource: chooseLogsource(logsources), level } }
}

/** Where nothing is known of the log source: most rules are about programs that begin. */
const usualSource = { category: 'process_creation', product: 'windows' }

/** The log source that says most, or the usual one where none says anything; parts that are open are left out. */
export function chooseLogsource(logsources: FirstEvent['logsources']): DraftRequest['head']['logsource'] {
  const stated = logsources.map((one) => Object.fromEntries(Object.entries(one).filter(([, part]) => part !== '')))
  const [first = {}] = stated.toSorted((one, other) => Object.keys(other).length - Object.keys(one).length)
  return Object.keys(first).length === 0 ? usualSource : first
}

function isValue(value: unknown): value is DraftedValue['value'] {
  if (typeof value === 'string') return value !== '' && value.length <= valueLengthMax
  return typeof value === 'number' || typeof value === 'boolean'
}
