import { type ManagedVendor, setVendorAreas } from '@qatra/contract/vendors/admin'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AreasChooser } from '../../areas/admin/AreasChooser.tsx'
import { refreshVendors } from '../../catalogue/admin/refresh-vendors.ts'
import { call } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/Toast.tsx'

const MOST = 100

/** Areas of a vendor; saved as a whole, with undo. */
export function AreasOfVendor({ vendor, onSaved }: { vendor: ManagedVendor; onSaved?: () => Promise<unknown> }) {
  const t = useT()
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(vendor.areaIds))
  const { busy, problem, run } = useAction(
    (error) => Object.values(error.details.fields ?? {})[0] ?? t('admin.vendors.failed'),
  )
  const before = new Set(vendor.areaIds)
  const added = [...chosen].filter((id) => !before.has(id)).length
  const removed = vendor.areaIds.filter((id) => !chosen.has(id)).length
  const isSame = added === 0 && removed === 0

  const save = (areaIds: readonly number[], undo?: readonly number[]): Promise<void> =>
    run(async () => {
      await call(setVendorAreas, { params: { id: String(vendor.id) }, body: { areaIds: [...areaIds] } })
      setChosen(new Set(areaIds))
      toast({
        title: t('admin.vendors.areasSaved'),
        ...(undo ? { action: { label: t('admin.vendors.undo'), onClick: () => void save(undo) }, duration: 8000 } : {}),
      })
      await Promise.all([refreshVendors(queries), onSaved?.()])
    })

  const reason =
    chosen.size === 0
      ? t('admin.vendors.areasNone')
      : chosen.size > MOST
        ? t('admin.vendors.areasMany')
        : isSame
          ? t('admin.vendors.areasSame')
          : null
  return (
    <div className="flex flex-1 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 text-ink-2" aria-live="polite">
          {t('admin.vendors.areasChosen', { count: chosen.size })}
          {!isSame && <> · {t('admin.vendors.areasChange', { added, removed })}</>}
        </p>
        <div>
          <Button tone="aqua" busy={busy} reason={reason} onClick={() => void save([...chosen], vendor.areaIds)}>
            {t('admin.vendors.areasSave')}
          </Button>
        </div>
      </div>
      {problem && (
        <p role="alert" className="rounded-m bg-clay-soft px-3.5 py-2.5 text-clay">
          {problem}
        </p>
      )}
      <AreasChooser chosen={chosen} onChange={setChosen} />
    </div>
  )
}
