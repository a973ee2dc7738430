import { useLocation, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../../../api/use-may.ts'
import { t } from '../../../i18n/translate.ts'
import { PageHead } from '../../../frame/page-head.tsx'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import { useRuleDetail } from '../rule-queries.ts'
import { newRule } from './authoring-queries.ts'
import { readCarriedEvents } from './carry-events.ts'
import { NewRule } from './new-rule.tsx'
import { RuleEditor } from './rule-editor.tsx'

/** One rule: its text in the editor, what it makes of events, and its history. */
export function RulePage(): ReactNode {
  const { id = newRule } = useParams({ strict: false }) as { readonly id?: string }
  return id === newRule ? <NewRule /> : <StoredRule key={id} id={id} />
}

function StoredRule({ id }: { readonly id: string }): ReactNode {
  const { data, error, isError, refetch } = useRuleDetail(id)
  const mayEdit = useMay('edit_rules')
  const events = useLocation({ select: ({ state }) => readCarriedEvents(state) })
  if (data !== undefined) return <RuleEditor id={id} rule={data} initial={data.definition} mayEdit={mayEdit} events={events} />
  return (
    <>
      <PageHead title={t('rules.title')} />
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
    </>
  )
}
