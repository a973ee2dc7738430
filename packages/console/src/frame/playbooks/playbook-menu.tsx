import { useQuery } from '@tanstack/react-query'
import type { PlaybookBody } from '@tripline/contract/console/response/playbook'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { enTools } from '../../i18n/en/tools.ts'
import { addTexts, t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { Play } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { useCommands } from '../commands.ts'

addTexts(enTools)

const keptMs = 60_000

type PlaybookMenuProps = { readonly subject: PlaybookBody['subject']; readonly id: string }

/** Runs one of the playbooks that users begin about an alert or incident; nothing where there is none. */
export function PlaybookMenu({ subject, id }: PlaybookMenuProps): ReactNode {
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
  if (items.length === 0) return null
  return (
    <Menu
      label={t('playbooks.run')}
      items={items}
      button={(target) => <Button kind="ghost" icon={Play} {...target}>{t('playbooks.run')}</Button>}
    />
  )
}

async function runPlaybook({ id, name }: PlaybookBody, subjectId: string): Promise<void> {
  try {
    await callApi(`/v1/playbooks/${encodeURIComponent(id)}/run`, { method: 'POST', body: { subject_id: subjectId } })
    showToast({ kind: 'notice', text: t('playbooks.begun', { name }) })
  } catch (error) {
    showToast({ kind: 'error', text: t('playbooks.failed', { name, problem: getErrorText(error) }) })
  }
}
