import { useQueryClient } from '@tanstack/react-query'
import type { ViewBody } from '@tripline/contract/console/view'
import type { FormEvent, ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Bookmark, Trash2 } from '../../ui/icons.tsx'
import { Popover } from '../../ui/popover.tsx'
import { showToast } from '../../ui/toast-store.ts'
import styles from './view-actions.module.css'

/** Deletes the user's own view that is shown, or saves the filters as one. */
export function ViewActions({ own, query }: { readonly own: ViewBody | undefined; readonly query: string }): ReactNode {
  const cache = useQueryClient()
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
      await cache.invalidateQueries({ queryKey: ['views', 'alerts'] })
    } catch (error) {
      showToast({ kind: 'error', text: getErrorText(error) })
    }
  }
  if (own !== undefined) {
    return (
      <IconButton
        icon={Trash2}
        label={t('alerts.view.delete', { name: own.name })}
        onClick={() => void change(() => callApi(`/v1/views/${own.id}`, { method: 'DELETE' }))}
      />
    )
  }
  return (
    <Popover
      label={t('alerts.view.save')}
      align="end"
      button={(target) => (
        <Button kind="ghost" icon={Bookmark} {...target}>
          {t('alerts.view.save')}
        </Button>
      )}
    >
      {(close) => (
        <form
          className={styles['form']}
          onSubmit={(event: FormEvent<HTMLFormElement>) => {
            event.preventDefault()
            const body = { page: 'alerts', name: readForm(event.currentTarget)('name').trim(), query }
            close()
            void change(() => callApi('/v1/views', { method: 'POST', body }))
          }}
        >
          <Field label={t('alerts.view.name')} name="name" required maxLength={80} autoFocus autoComplete="off" />
          <Button kind="primary" type="submit">
            {t('save')}
          </Button>
        </form>
      )}
    </Popover>
  )
}
