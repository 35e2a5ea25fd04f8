import {
  type AreaWarning,
  createArea,
  deleteArea,
  type ManagedArea,
  updateArea,
} from '@qatra/contract/places/areas-admin'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { call, read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import type { EditMode } from '../../map/admin/OutlineEditor.tsx'
import { Form } from '../../ui/admin/form/Form.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { BinIcon, EditIcon, WarningIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { VendorEmblem } from '../../ui/VendorEmblem.tsx'
import { refreshAreas } from './api.ts'
import type { Draft } from './use-draft.ts'

interface AreaPanelProps {
  /** Null for a new one. */
  area: ManagedArea | null
  mayWrite: boolean
  draft: Draft
  mode: EditMode
  onMode(mode: EditMode): void
  onClose(): void
  onMade(id: number): void
  /** Placed below the map instead of over it while an outline is edited on a narrow screen. */
  isBelow: boolean
}

export function AreaPanel(props: AreaPanelProps) {
  const { area, mayWrite, draft, onClose, isBelow } = props
  const t = useT()
  const nameIn = useNameIn()
  const { data: vendors } = useQuery(read(listVendors))
  const title = area ? nameIn(area) : t('admin.areas.new')
  const serving = vendors?.filter(({ id }) => area?.vendorIds.includes(id)) ?? []
  const parts = (
    <>
      {mayWrite && (
        <PanelPart>
          <AreaForm {...props} />
        </PanelPart>
      )}
      {draft.warnings.length > 0 && (
        <PanelPart title={t('admin.areas.warnings')}>
          <Warnings warnings={draft.warnings} />
        </PanelPart>
      )}
      {area && (
        <PanelPart title={t('admin.areas.servedByCount', { count: serving.length })}>
          <ul className="grid gap-2">
            {serving.map((vendor) => (
              <li key={vendor.id} className="flex items-center gap-2.5">
                <VendorEmblem {...vendor} name={nameIn(vendor)} size={26} />
                <span dir="auto" className="min-w-0 truncate leading-relaxed">
                  {nameIn(vendor)}
                </span>
              </li>
            ))}
            {serving.length === 0 && <li className="text-ink-2">{t('admin.areas.nobody')}</li>}
          </ul>
        </PanelPart>
      )}
      {area && mayWrite && <Removal area={area} onGone={onClose} />}
    </>
  )
  if (isBelow) {
    return (
      <section aria-label={title}>
        <div className="flex items-center justify-between gap-3 px-5 pt-4">
          <h2 className="min-w-0 text-heading">
            <bdi>{title}</bdi>
          </h2>
          <ToolbarButton onClick={onClose}>{t('admin.close')}</ToolbarButton>
        </div>
        {parts}
      </section>
    )
  }
  return (
    <SidePanel label={title} title={<bdi>{title}</bdi>} onClose={onClose}>
      {parts}
    </SidePanel>
  )
}

function AreaForm({ area, draft, mode, onMode, onMade }: AreaPanelProps) {
  const t = useT()
  const queries = useQueryClient()
  const { geometry } = draft
  const form = useForm({
    body: area ? updateArea.body : createArea.body,
    requires: ['nameAr'],
    start: { name: area?.name ?? '', nameAr: area?.nameAr ?? '', areaId: area?.areaId ?? '' },
    toBody: ({ name, nameAr, areaId }) => ({
      name,
      nameAr: nameAr || null,
      ...(areaId === '' ? {} : { areaId }),
      ...(geometry && (draft.isChanged || !area) ? { geometry } : {}),
    }),
    send: (body) =>
      area ? call(updateArea, { params: { id: String(area.id) }, body }) : call(createArea, { body: body as never }), // validated by the form: name and outline are present
    onSaved: (saved) => {
      toast({ title: t('admin.areas.saved') })
      draft.reset()
      void refreshAreas(queries).then(() => {
        if (!area) onMade(saved.id)
      })
    },
    failureOf: (error) => (error.code === 'TOO_LARGE' ? t('admin.areas.tooLarge') : null),
  })
  const isDrawing = draft.isEditing || !area
  const reason = !geometry
    ? t('admin.areas.drawFirst')
    : draft.problem
      ? t(draft.problem)
      : area && !form.isDirty && !draft.isChanged
        ? t('admin.areas.same')
        : null
  return (
    <Form form={form} label={t('admin.areas.form')}>
      <TextField
        label={t('admin.areas.nameAr')}
        {...form.text('nameAr')}
        dir="rtl"
        lang="ar"
        maxLength={100}
        required
      />
      <TextField label={t('admin.areas.name')} {...form.text('name')} dir="ltr" maxLength={100} required />
      <TextField label={t('admin.areas.code')} hint={t('admin.areas.code.hint')} {...form.text('areaId')} ltr />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-label font-strong">{t('admin.areas.outline')}</legend>
        {isDrawing ? (
          <>
            <div className="flex flex-wrap gap-2">
              {(['shape', 'part', 'hole'] as const).map((key) => (
                <ToolbarButton key={key} chosen={mode === key} aria-pressed={mode === key} onClick={() => onMode(key)}>
                  {t(`admin.areas.mode.${key}`)}
                </ToolbarButton>
              ))}
              {draft.isChanged && <ToolbarButton onClick={draft.undo}>{t('admin.areas.undo')}</ToolbarButton>}
            </div>
            <p className="text-ink-3">{t(`admin.areas.mode.${geometry ? mode : 'part'}.hint`)}</p>
          </>
        ) : (
          <ToolbarButton icon={EditIcon} className="justify-self-start" onClick={draft.edit}>
            {t('admin.areas.edit')}
          </ToolbarButton>
        )}
        {draft.problem && (
          <p role="alert" className="text-clay">
            {t(draft.problem)}
          </p>
        )}
      </fieldset>
      <Button
        type="submit"
        tone="aqua"
        size="big"
        busy={form.busy}
        reason={reason}
        reasonShown={draft.problem !== null}
      >
        {t(area ? 'admin.save' : 'admin.areas.create')}
      </Button>
    </Form>
  )
}

const MAX_LISTED = 6

/** Overlaps, gaps and swapped axes as text, largest first; the map hatches them. */
export function Warnings({ warnings }: { warnings: readonly AreaWarning[] }) {
  const t = useT()
  const nameIn = useNameIn()
  const largest = [...warnings]
    .sort((a, b) => (b.squareMetres ?? Infinity) - (a.squareMetres ?? Infinity))
    .slice(0, MAX_LISTED)
  return (
    <ul className="grid gap-2">
      {largest.map(({ kind, name, nameAr, squareMetres }) => (
        <li key={`${kind} ${name}`} className="flex gap-2 text-ink-2">
          <WarningIcon size={16} aria-hidden="true" className="mt-0.75 flex-none text-clay" />
          <span>
            {t(`admin.areas.warning.${kind}`, {
              name: nameIn({ name: name ?? '', nameAr }),
              hectares: Math.max(0.1, Math.round((squareMetres ?? 0) / 1000) / 10),
            })}
          </span>
        </li>
      ))}
      {warnings.length > MAX_LISTED && (
        <li className="text-ink-3">{t('admin.areas.warningsMore', { count: warnings.length - MAX_LISTED })}</li>
      )}
    </ul>
  )
}

function Removal({ area, onGone }: { area: ManagedArea; onGone(): void }) {
  const t = useT()
  const queries = useQueryClient()
  const name = useNameIn()(area)
  const [isAsked, setAsked] = useState(false)
  const [failed, setFailed] = useState(false)

  async function remove() {
    setAsked(false)
    try {
      await call(deleteArea, { params: { id: String(area.id) } })
      toast({ title: t('admin.areas.removed', { name }) })
      onGone()
      await refreshAreas(queries)
    } catch (error) {
      console.warn(error)
      setFailed(true)
    }
  }
  return (
    <PanelPart>
      <ToolbarButton icon={BinIcon} tone="danger" onClick={() => setAsked(true)}>
        {t('admin.areas.remove')}
      </ToolbarButton>
      {failed && (
        <p role="alert" className="mt-1 text-clay">
          {t('admin.areas.failed')}
        </p>
      )}
      <Dialog
        open={isAsked}
        title={t('admin.areas.removeTitle', { name })}
        safe={{ label: t('admin.cancel'), onChoose: () => setAsked(false) }}
        action={{ label: t('admin.areas.remove'), tone: 'danger', onChoose: () => void remove() }}
      >
        {t('admin.areas.removeText', { count: area.vendorIds.length })}
      </Dialog>
    </PanelPart>
  )
}
