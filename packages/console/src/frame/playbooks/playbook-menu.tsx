import type { PlaybookBody } from '@tripline/contract/console/response/playbook'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Play } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { usePlaybooks } from './use-playbooks.ts'

type PlaybookMenuProps = { readonly subject: PlaybookBody['subject']; readonly id: string }

/** Runs one of the playbooks that users begin about an alert or incident; nothing where there is none. */
export function PlaybookMenu({ subject, id }: PlaybookMenuProps): ReactNode {
  const items = usePlaybooks(subject, id)
  if (items.length === 0) return null
  return (
    <Menu
      label={t('playbooks.run')}
      items={items}
      button={(target) => <Button kind="ghost" icon={Play} {...target}>{t('playbooks.run')}</Button>}
    />
  )
}
