import { useNavigate, useParams } from '@tanstack/react-router'
import type { RuleDetail } from '@tripline/contract/console/rule'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../../api/api-error.ts'
import { useMay } from '../../../api/use-may.ts'
import { t } from '../../../i18n/translate.ts'
import { useUrlState } from '../../../frame/use-url-state.ts'
import { PageHead } from '../../../frame/page-head.tsx'
import { toIso } from '../../../lib/time-range.ts'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import { showToast } from '../../../ui/toast-store.ts'
import { RuleEngine } from '../../../workbench/rule-engine.ts'
import { useRuleDetail } from '../rule-queries.ts'
import { newRule, readFoundEvents } from './authoring-queries.ts'
import { RuleEditor } from './rule-editor.tsx'
import { rulePageParameters } from './rule-page-url.ts'

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

/** One rule: its text in the editor, what it makes of events, and its history. */
export function RulePage(): ReactNode {
  const { id = newRule } = useParams({ strict: false }) as { readonly id?: string }
  return id === newRule ? <NewRule /> : <StoredRule key={id} id={id} />
}

function StoredRule({ id }: { readonly id: string }): ReactNode {
  const { data, error, isError, refetch } = useRuleDetail(id)
  const mayEdit = useMay('edit_rules')
  if (data !== undefined) return <RuleEditor id={id} rule={data} initial={data.definition} mayEdit={mayEdit} />
  return (
    <>
      <PageHead title={t('rules.title')} />
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
    </>
  )
}

/** A rule that is not stored: from a template, from the query of a search, or a copy of another. */
function NewRule(): ReactNode {
  const navigate = useNavigate()
  const mayEdit = useMay('edit_rules')
  const [{ from_query: query, clone, backtest }, setUrl] = useUrlState(rulePageParameters)
  const copied = useRuleDetail(clone)
  const drafted = useDraft(query)
  // What the search found is known to be wanted: the events to test with, and how often the rule would have matched.
  const isDrafted = drafted.text !== undefined && drafted.problem === undefined
  useEffect(() => {
    if (!isDrafted || backtest !== undefined || !mayEdit) return
    const to = Date.now()
    const begin = async (): Promise<void> => {
      const { beginBacktest } = await import('../backtest-queries.ts')
      const id = await beginBacktest({ definition: drafted.text ?? '', from: toIso(to - weekMs), to: toIso(to) })
      setUrl({ backtest: id }, { isReplacing: true })
    }
    begin().catch((error: unknown) => showToast({ kind: 'error', text: getErrorText(error) }))
  }, [isDrafted, backtest, mayEdit, drafted.text, setUrl])
  const initial = query !== undefined ? drafted.text : clone !== undefined ? toCopy(copied.data) : template
  if (initial !== undefined) {
    return (
      <RuleEditor
        key={`${query ?? ''} ${clone ?? ''}`}
        source={query !== undefined ? ` from ${query}` : clone !== undefined ? ` like ${clone}` : ''}
        id={newRule}
        rule={undefined}
        initial={initial}
        events={drafted.events}
        notice={drafted.problem}
        mayEdit={mayEdit}
        onCreated={(id) => void navigate({ to: '/rules/$id', params: { id } as never, replace: true })}
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

/** A copy has an id and a name of its own. */
function toCopy(rule: RuleDetail | undefined): string | undefined {
  const rename = (_: string, quote: string, title: string): string => `title: ${quote}${t('rule.copyOf', { title })}${quote}`
  return rule?.definition.replaceAll(/^(?:id|name):.*\n/gm, '').replace(/^title: *(['"]?)(.*?)\1 *$/m, rename)
}

type Draft = { readonly text: string | undefined; readonly problem: string | undefined; readonly events?: string }

/** The rule that finds what a query finds; the template, and why, where Sigma cannot express it. */
function useDraft(query: string | undefined): Draft {
  const [draft, setDraft] = useState<Draft>({ text: undefined, problem: undefined })
  useEffect(() => {
    if (query === undefined) return undefined
    const engine = new RuleEngine()
    const leaving = new AbortController()
    const read = async (): Promise<void> => {
      try {
        const result = await engine.run({ kind: 'draft', query, title: t('rule.fromSearch') })
        const drafted = result as { readonly yaml?: string; readonly unsaid?: readonly string[] }
        // Without them the rule is written all the same: the backtest tells what it finds.
        const events = await readFoundEvents(query, leaving.signal).catch(() => '')
        if (drafted.yaml !== undefined) setDraft({ text: drafted.yaml, problem: undefined, events })
        else setDraft({ text: template, problem: t('rule.notDrafted', { problem: (drafted.unsaid ?? []).join(', ') }) })
      } catch (error) {
        setDraft({ text: template, problem: t('rule.notDrafted', { problem: getErrorText(error) }) })
      }
    }
    void read()
    return () => {
      leaving.abort()
      engine.close()
    }
  }, [query])
  return draft
}
