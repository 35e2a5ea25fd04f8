import { deleteVendor, getManagedVendor, type ManagedVendor, updateVendor } from '@qatra/contract/vendors/admin'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { refreshVendors } from '../../catalogue/admin/refresh-vendors.ts'
import { call, read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { SwitchField } from '../../ui/admin/form/fields.tsx'
import { MapIcon } from '../../ui/admin/icons.ts'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { ToolbarButton, toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { BinIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { VendorForm } from './VendorForm.tsx'

const queryOf = (id: string) => read(getManagedVendor, { params: { id } })

function Component() {
  const t = useT()
  const navigate = useNavigate()
  const nameIn = useNameIn()
  const { id = 'new' } = useParams({ strict: false })
  const isNew = id === 'new'
  const { data: vendor } = useQuery({ ...queryOf(id), enabled: !isNew })
  const close = () => void navigate({ to: '/admin/vendors', search: true })
  const open = (saved: ManagedVendor) =>
    void navigate({ to: '/admin/vendors/$id', params: { id: String(saved.id) }, search: true })
  const title = isNew ? t('admin.vendors.new') : vendor ? nameIn(vendor) : ''
  return (
    <SidePanel key={id} label={title} title={<bdi>{title}</bdi>} onClose={close}>
      {vendor && !isNew && <VendorActions vendor={vendor} onGone={close} />}
      {(vendor || isNew) && (
        <PanelPart>
          <VendorForm
            key={isNew ? 'new' : `${id} ${vendor?.version}`}
            vendor={isNew ? null : (vendor ?? null)}
            onSaved={isNew ? open : () => undefined}
          />
        </PanelPart>
      )}
    </SidePanel>
  )
}

/** Shows or hides the vendor in the shop, links its areas, deletes it. */
function VendorActions({ vendor, onGone }: { vendor: ManagedVendor; onGone(): void }) {
  const t = useT()
  const queries = useQueryClient()
  const name = useNameIn()(vendor)
  const [confirming, setConfirming] = useState<'off' | 'delete' | null>(null)
  const [failure, setFailure] = useState(false)
  const params = { id: String(vendor.id) }

  async function attempt(work: () => Promise<unknown>, title: string) {
    setConfirming(null)
    setFailure(false)
    try {
      await work()
      toast({ title })
      await refreshVendors(queries)
    } catch (error) {
      console.warn(error)
      setFailure(true)
    }
  }
  const turn = (isActive: boolean) =>
    attempt(
      () => call(updateVendor, { params, body: { isActive } }),
      t(isActive ? 'admin.vendors.turnedOn' : 'admin.vendors.turnedOff', { name }),
    )
  const remove = () =>
    attempt(
      async () => {
        const { deleted } = await call(deleteVendor, { params })
        if (deleted) onGone()
      },
      t('admin.vendors.removed', { name }),
    )

  return (
    <PanelPart>
      <SwitchField
        label={t('admin.vendors.inShop')}
        hint={t(vendor.isActive ? 'admin.vendors.inShop.on' : 'admin.vendors.inShop.off')}
        value={vendor.isActive}
        onChange={(on) => (on ? void turn(true) : setConfirming('off'))}
      />
      {failure && (
        <p role="alert" className="mt-1 text-clay">
          {t('admin.vendors.failed')}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Link to="/admin/vendors/$id/areas" params={params} className={toolbarButtonClass()}>
          <MapIcon size={16} aria-hidden="true" className="text-ink-3" />
          {t('admin.vendors.areaCount', { count: vendor.areaIds.length })}
        </Link>
        <ToolbarButton icon={BinIcon} tone="danger" onClick={() => setConfirming('delete')}>
          {t('admin.vendors.remove')}
        </ToolbarButton>
      </div>
      <Dialog
        open={confirming !== null}
        title={t(confirming === 'delete' ? 'admin.vendors.removeTitle' : 'admin.vendors.offTitle', { name })}
        safe={{ label: t('admin.cancel'), onChoose: () => setConfirming(null) }}
        action={{
          label: t(confirming === 'delete' ? 'admin.vendors.remove' : 'admin.vendors.turnOff'),
          tone: 'danger',
          onChoose: () => void (confirming === 'delete' ? remove() : turn(false)),
        }}
      >
        {t(confirming === 'delete' ? 'admin.vendors.removeText' : 'admin.vendors.offText')}
      </Dialog>
    </PanelPart>
  )
}

export const page: Page = {
  Component,
  async load({ queries, params: { id } }) {
    if (id) await queries.ensureQueryData(queryOf(id))
  },
  head: ({ t }) => ({ title: t('admin.nav.vendors'), hidden: true }),
}
