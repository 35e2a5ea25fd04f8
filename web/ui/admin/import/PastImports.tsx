import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { Page } from '@qatra/contract/lib/page'
import type { PastImport, UndoneImport } from '@qatra/contract/lib/upload'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { ToolbarButton } from '../ToolbarButton.tsx'
import { FailedRows } from './FailedRows.tsx'

interface PastImportsProps {
  list: Pick<UseQueryResult<Page<PastImport>>, 'data' | 'error' | 'refetch'>
  undo(id: number): Promise<UndoneImport>
  /** Reads again what an undo has changed. */
  forget(): void
  /** Name of a column; null for the whole file. */
  nameOf(field: string): string | null
  words: {
    counts(each: PastImport): string
    /** What an undo deletes, and what it keeps. */
    explained: string
    removed(count: number): string
    restored(count: number): string
  }
}

/** The newest imports, each with its undo. */
export function PastImports(props: PastImportsProps) {
  const { list, nameOf, words } = props
  const t = useT()
  const { data, error, refetch } = list
  const [undoing, setUndoing] = useState<PastImport | null>(null)
  const [undone, setUndone] = useState<UndoneImport | null>(null)
  if (error && !data) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3 text-clay">
        {t('import.past.failed')}
        <ToolbarButton onClick={() => void refetch()}>{t('admin.retry')}</ToolbarButton>
      </p>
    )
  }
  if (!data || data.items.length === 0) return null
  return (
    <>
      <div role="status" className={undone ? 'rounded-l bg-gulf-soft p-5' : 'sr-only'}>
        {undone && (
          <>
            <p className="font-strong">{words.removed(undone.removed)}</p>
            {undone.restored > 0 && <p>{words.restored(undone.restored)}</p>}
            {undone.keptRows > 0 && <p>{t('import.undone.kept', { count: undone.keptRows })}</p>}
          </>
        )}
      </div>
      {undone && undone.kept.length > 0 && (
        <FailedRows title={t('import.undone.stays')} failed={undone.kept} nameOf={nameOf} />
      )}
      <section aria-labelledby="past-imports" className="grid gap-2">
        <h2 id="past-imports" className="text-heading">
          {t('import.past')}
        </h2>
        <ul className="grid">
          {data.items.map((each) => (
            <PastLine key={each.id} each={each} counts={words.counts(each)} onUndo={() => setUndoing(each)} />
          ))}
        </ul>
      </section>
      {undoing && <UndoDialog {...props} each={undoing} onUndone={setUndone} onClose={() => setUndoing(null)} />}
    </>
  )
}

function PastLine({ each, counts, onUndo }: { each: PastImport; counts: string; onUndo(): void }) {
  const { t, lang } = useLanguage()
  const { fileName, vendor, by, createdAt, undoneAt } = each
  const ofVendor = vendor && ((lang === 'ar' && vendor.nameAr) || vendor.name)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-strong wrap-anywhere">
          <bdi>{fileName ?? t('import.past.pasted')}</bdi>
          {ofVendor && (
            <span className="font-regular text-ink-2">
              {' · '}
              <bdi>{ofVendor}</bdi>
            </span>
          )}
        </p>
        <p className="text-ink-2">
          {counts}
          {' · '}
          {formatDateTime(new Date(createdAt), lang)}
          {by?.name && (
            <>
              {' · '}
              <bdi>{by.name}</bdi>
            </>
          )}
        </p>
      </div>
      {undoneAt ? (
        <span className="text-ink-3">{t('import.past.undone')}</span>
      ) : (
        <ToolbarButton tone="danger" aria-label={t('import.undoOf', { name: fileName ?? '' })} onClick={onUndo}>
          {t('import.undo')}
        </ToolbarButton>
      )}
    </li>
  )
}

interface UndoDialogProps extends Pick<PastImportsProps, 'undo' | 'forget' | 'words'> {
  each: PastImport
  onUndone(answer: UndoneImport): void
  onClose(): void
}

function UndoDialog({ each: { id, fileName }, undo, forget, words, onUndone, onClose }: UndoDialogProps) {
  const t = useT()
  const { busy, problem, run } = useAction((error) => refusalText(t, error, 'import'))
  const confirm = () =>
    run(async () => {
      onUndone(await undo(id))
      onClose()
    }).finally(forget)
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('import.undoTitle', { name: fileName ?? '' })}
      confirm={t('import.undo')}
      busy={busy}
      error={problem}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>{words.explained}</p>
    </ConfirmDialog>
  )
}
