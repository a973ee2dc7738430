import { useQueryClient } from '@tanstack/react-query'
import type { ViewBody } from '@tripline/contract/console/view'
import type { FormEvent, ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { enTools } from '../../i18n/en/tools.ts'
import { addTexts, t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { CheckBox } from '../../ui/forms/check-box.tsx'
import { Bookmark, Trash2 } from '../../ui/icons.tsx'
import { Popover } from '../../ui/popover.tsx'
import { showToast } from '../../ui/toast-store.ts'
import styles from './view-actions.module.css'

addTexts(enTools)

/** Deletes the user's own view that is shown, or saves the filters as one. */
export function ViewActions({ page, own, query }: {
  readonly page: ViewBody['page']
  readonly own: ViewBody | undefined
  readonly query: string
}): ReactNode {
  const cache = useQueryClient()
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
      await cache.invalidateQueries({ queryKey: ['views'] })
    } catch (error) {
      showToast({ kind: 'error', text: getErrorText(error) })
    }
  }
  if (own !== undefined) {
    return (
      <IconButton
        icon={Trash2}
        label={t('views.delete', { name: own.name })}
        onClick={() => void change(() => callApi(`/v1/views/${own.id}`, { method: 'DELETE' }))}
      />
    )
  }
  return (
    <Popover
      label={t('views.save')}
      align="end"
      button={(target) => (
        <Button kind="ghost" icon={Bookmark} {...target}>
          {t('views.save')}
        </Button>
      )}
    >
      {(close) => (
        <form
          className={styles['form']}
          onSubmit={(event: FormEvent<HTMLFormElement>) => {
            event.preventDefault()
            const read = readForm(event.currentTarget)
            const body = { page, name: read('name').trim(), query, is_shared: read('shared') !== '' }
            close()
            void change(() => callApi('/v1/views', { method: 'POST', body }))
          }}
        >
          <Field label={t('views.name')} name="name" required maxLength={80} autoFocus autoComplete="off" />
          <CheckBox label={t('views.shared')} name="shared" isOn={false} />
          <Button kind="primary" type="submit">
            {t('save')}
          </Button>
        </form>
      )}
    </Popover>
  )
}
