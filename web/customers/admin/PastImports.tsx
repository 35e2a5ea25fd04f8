import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { Output } from '@qatra/contract/endpoint'
import { type CustomerImport, undoCustomerImport } from '@qatra/contract/users/customers-import'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { call } from '../../lib/api-client.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { useAction } from '../../lib/use-action.ts'
import { ConfirmDialog } from '../../ui/admin/ConfirmDialog.tsx'
import { FailedRows } from '../../ui/admin/import/FailedRows.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { forgetCustomers, importsQuery, useColumnName, useImportProblem } from './import-api.ts'

type Undone = Output<typeof undoCustomerImport>

/** The newest imports, each with its undo. */
export function PastImports() {
  const t = useT()
  const { data, error, refetch } = useQuery(importsQuery)
  const [undoing, setUndoing] = useState<CustomerImport | null>(null)
  const [undone, setUndone] = useState<Undone | null>(null)
  const columnName = useColumnName()
  if (error && !data) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3 text-clay">
        {t('customerImport.past.failed')}
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
            <p className="font-strong">{t('customerImport.undone.removed', { count: undone.removed })}</p>
            {undone.restored > 0 && <p>{t('customerImport.undone.restored', { count: undone.restored })}</p>}
            {undone.keptRows > 0 && <p>{t('customerImport.undone.kept', { count: undone.keptRows })}</p>}
          </>
        )}
      </div>
      {undone && undone.kept.length > 0 && (
        <FailedRows title={t('customerImport.undone.stays')} failed={undone.kept} nameOf={columnName} />
      )}
      <section aria-labelledby="past-imports" className="grid gap-2">
        <h2 id="past-imports" className="text-heading">
          {t('customerImport.past')}
        </h2>
        <ul className="grid">
          {data.items.map((each) => (
            <PastImport key={each.id} each={each} onUndo={() => setUndoing(each)} />
          ))}
        </ul>
      </section>
      {undoing && <UndoDialog each={undoing} onUndone={setUndone} onClose={() => setUndoing(null)} />}
    </>
  )
}

function PastImport({ each, onUndo }: { each: CustomerImport; onUndo(): void }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const { fileName, vendor, created, updated, by, createdAt, undoneAt } = each
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-strong wrap-anywhere">
          <bdi>{fileName ?? t('customerImport.file')}</bdi>
          {vendor && (
            <span className="font-regular text-ink-2">
              {' · '}
              <bdi>{nameIn(vendor)}</bdi>
            </span>
          )}
        </p>
        <p className="text-ink-2">
          {t('customerImport.past.counts', { created, updated })}
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
        <span className="text-ink-3">{t('customerImport.past.undone')}</span>
      ) : (
        <ToolbarButton tone="danger" aria-label={t('customerImport.undoOf', { name: fileName ?? '' })} onClick={onUndo}>
          {t('customerImport.undo')}
        </ToolbarButton>
      )}
    </li>
  )
}

interface UndoDialogProps {
  each: CustomerImport
  onUndone(answer: Undone): void
  onClose(): void
}

function UndoDialog({ each: { id, fileName }, onUndone, onClose }: UndoDialogProps) {
  const t = useT()
  const queries = useQueryClient()
  const { busy, problem, run } = useAction(useImportProblem())
  const undo = () =>
    run(async () => {
      onUndone(await call(undoCustomerImport, { params: { importId: String(id) } }))
      onClose()
    }).finally(() => void forgetCustomers(queries))
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('customerImport.undoTitle', { name: fileName ?? '' })}
      confirm={t('customerImport.undo')}
      busy={busy}
      error={problem}
      onConfirm={() => void undo()}
      onCancel={onClose}
    >
      <p>{t('customerImport.undoText')}</p>
    </ConfirmDialog>
  )
}
