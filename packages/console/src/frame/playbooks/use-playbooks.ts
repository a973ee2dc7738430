import { useQuery } from '@tanstack/react-query'
import type { PlaybookBody } from '@tripline/contract/console/response/playbook'
import { useMemo } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { enTools } from '../../i18n/en/tools.ts'
import { addTexts, t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { showToast } from '../../ui/toast-store.ts'
import { useCommands } from '../commands.ts'

addTexts(enTools)

const keptMs = 60_000

/** A playbook in a menu. */
type PlaybookItem = { readonly label: string; readonly run: () => void }

/** The playbooks that users begin about an alert or incident, as items of a menu; the palette has them too. */
export function usePlaybooks(subject: PlaybookBody['subject'], id: string): readonly PlaybookItem[] {
  const { data } = useQuery({
    queryKey: ['playbooks'],
    queryFn: async ({ signal }) => (await callApi<{ readonly playbooks: readonly PlaybookBody[] }>('/v1/playbooks', { signal })).playbooks,
    staleTime: keptMs,
  })
  const items = useMemo(() => {
    const own = (data ?? []).filter((one) => one.subject === subject && one.enabled && one.trigger === 'manual')
    return own.map((playbook) => ({ label: toVisibleText(playbook.name), run: () => void runPlaybook(playbook, id) }))
  }, [data, subject, id])
  useCommands(useMemo(() => items.map(({ label, run }) => ({ label: t('playbooks.runOne', { name: label }), run })), [items]))
  return items
}

async function runPlaybook({ id, name }: PlaybookBody, subjectId: string): Promise<void> {
  try {
    await callApi(`/v1/playbooks/${encodeURIComponent(id)}/run`, { method: 'POST', body: { subject_id: subjectId } })
    showToast({ kind: 'notice', text: t('playbooks.begun', { name }) })
  } catch (error) {
    showToast({ kind: 'error', text: t('playbooks.failed', { name, problem: getErrorText(error) }) })
  }
}
