import { useNavigate } from '@tanstack/react-router'
import type { RuleDetail } from '@tripline/contract/console/rule'
import { useCallback, useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../../api/api-error.ts'
import { useMay } from '../../../api/use-may.ts'
import { PageHead } from '../../../frame/page-head.tsx'
import { useUrlState } from '../../../frame/use-url-state.ts'
import { t } from '../../../i18n/translate.ts'
import { toIso } from '../../../lib/time-range.ts'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import { showToast } from '../../../ui/toast-store.ts'
import { useRuleDetail } from '../rule-queries.ts'
import { newRule } from './authoring-queries.ts'
import { carryEvents } from './carry-events.ts'
import { RuleEditor } from './rule-editor.tsx'
import { rulePageParameters } from './rule-page-url.ts'
import { useDraft } from './use-draft.ts'
import type { Draft } from './use-draft.ts'

const weekMs = 7 * 86_400_000
const template = `title: New rule
status: experimental
level: medium
description: What it finds
tags:
    - attack.execution
logsource:
    category: process_creation
    product: windows
detection:
    selection:
        Image|endswith: '\\tool.exe'
    condition: selection
`

/** A rule that is not stored: from a template, the query of a search or an alert, or a copy of another. */
export function NewRule(): ReactNode {
  const navigate = useNavigate()
  const mayEdit = useMay('edit_rules')
  const [{ from_query: query, from_alert: alert, clone, backtest }, setUrl] = useUrlState(rulePageParameters)
  const copied = useRuleDetail(clone)
  const isDrafting = query !== undefined || alert !== undefined
  const draft = useDraft(query, alert)
  const onBegun = useCallback((id: string) => setUrl({ backtest: id }, { isReplacing: true }), [setUrl])
  useFirstBacktest(draft?.text, backtest === undefined && mayEdit, onBegun)
  const initial = isDrafting ? draft && (draft.text ?? template) : clone !== undefined ? toCopy(copied.data) : template
  if (initial !== undefined) {
    const beginnings = [['from', query], ['of', alert], ['like', clone]] as const
    const source = beginnings.map(([word, from]) => (from === undefined ? '' : ` ${word} ${from}`)).join('')
    return (
      <RuleEditor
        key={source}
        source={source}
        id={newRule}
        rule={undefined}
        initial={initial}
        events={draft?.events}
        notice={draft?.problem}
        mayEdit={mayEdit}
        onCreated={(id, events) => void navigate({ to: '/rules/$id', params: { id } as never, replace: true, state: carryEvents(events) })}
      />
    )
  }
  return (
    <>
      <PageHead title={t('rule.new')} />
      {copied.isError && <ErrorMessage error={copied.error} onRetry={() => void copied.refetch()} />}
    </>
  )
}

/** Begins a backtest of a draft over the last week: what it is made of is known to be wanted, and how often it matches is asked next. */
function useFirstBacktest(text: Draft['text'], isWanted: boolean, onBegun: (id: string) => void): void {
  const begun = useRef<string>(undefined)
  useEffect(() => {
    if (text === undefined || !isWanted || begun.current === text) return
    begun.current = text
    const to = Date.now()
    const begin = async (): Promise<void> => {
      const { beginBacktest } = await import('../backtest-queries.ts')
      onBegun(await beginBacktest({ definition: text, from: toIso(to - weekMs), to: toIso(to) }))
    }
    begin().catch((error: unknown) => showToast({ kind: 'error', text: getErrorText(error) }))
  }, [text, isWanted, onBegun])
}

/** A copy has an id and a name of its own. */
function toCopy(rule: RuleDetail | undefined): string | undefined {
  const rename = (_: string, quote: string, title: string): string => `title: ${quote}${t('rule.copyOf', { title })}${quote}`
  return rule?.definition.replaceAll(/^(?:id|name):.*\n/gm, '').replace(/^title: *(['"]?)(.*?)\1 *$/m, rename)
}
