import { useBlocker } from '@tanstack/react-router'
import { useT } from '../../../lib/language/i18n.tsx'
import { Dialog } from '../../Dialog.tsx'

/** A page, or one tab of it. */
function viewOf({ pathname, search }: { pathname: string; search: object }): string {
  const { part, vendor }: { part?: unknown; vendor?: unknown } = search
  return JSON.stringify([pathname, part, vendor])
}

/** Asks before leaving with unsaved changes; while saving only the browser asks. */
export function UnsavedChanges({ isUnsaved, isSaving = false }: { isUnsaved: () => boolean; isSaving?: boolean }) {
  const t = useT()
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved() && !isSaving && viewOf(current) !== viewOf(next),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  return (
    <Dialog
      open={leaving.status === 'blocked'}
      closesByBack={false}
      title={t('admin.form.leaveTitle')}
      safe={{ label: t('admin.form.stay'), onChoose: () => leaving.reset?.() }}
      action={{ label: t('admin.form.leave'), tone: 'danger', onChoose: () => leaving.proceed?.() }}
    >
      {t('admin.form.leaveText')}
    </Dialog>
  )
}
