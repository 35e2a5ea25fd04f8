import { listAreas } from '@qatra/contract/places/areas'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { type CampaignDetail, listCampaigns, MOST_RECIPIENTS } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { listLabels } from '@qatra/contract/whatsapp/inbox/work'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../../../app/names.ts'
import { read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { FileDrop } from '../../../ui/admin/form/FileDrop.tsx'
import { CheckboxField, MoneyField, NumberField, SelectField } from '../../../ui/admin/form/fields.tsx'
import { ChoiceFilter } from '../../../ui/admin/list/ChoiceFilter.tsx'
import { Segmented } from '../../../ui/admin/Segmented.tsx'
import { TextArea, TextField } from '../../../ui/Field.tsx'
import { hasPeople } from './campaign-draft.ts'
import { PeopleFound } from './PeopleFound.tsx'
import type { StepProps } from './TemplateStep.tsx'

const MEGABYTES = 3

export function PeopleStep({ campaign, ...parts }: StepProps & { campaign: CampaignDetail | undefined }) {
  const t = useT()
  const { draft, template, set } = parts
  // A campaign with a stored list can keep it instead of uploading it again.
  const sources = (['saved', 'filter', 'list'] as const).filter(
    (source) => source !== 'saved' || (campaign && campaign.audience === null),
  )
  return (
    <div className="grid gap-5">
      <div className="grid justify-items-start gap-4">
        <Segmented
          label={t('campaigns.source')}
          value={draft.source}
          options={sources.map((value) => ({ value, label: t(`campaigns.source.${value}`) }))}
          onChange={(source) => set({ source })}
        />
        {draft.source === 'filter' && <FilterFields {...parts} />}
        {draft.source === 'list' && <ListFields {...parts} />}
        {draft.source === 'saved' && <p className="text-ink-2">{t('campaigns.saved.hint')}</p>}
        {draft.source !== 'filter' && <ConsentFields {...parts} />}
      </div>
      {template && hasPeople(draft) && (
        <PeopleFound draft={draft} template={template} campaignId={campaign?.id} set={set} />
      )}
    </div>
  )
}

/** Who declares it, and when, is stored with the campaign. */
function ConsentFields({ draft, set }: StepProps) {
  const t = useT()
  return (
    <div className="grid w-full gap-3 rounded-m bg-well p-4">
      <CheckboxField
        label={t('campaigns.consent')}
        value={draft.isDeclared}
        onChange={(isDeclared) => set({ isDeclared })}
      />
      <TextField
        label={t('campaigns.consent.source')}
        hint={t('campaigns.consent.source.hint')}
        dir="auto"
        maxLength={300}
        value={draft.agreedAt}
        onChange={({ target }) => set({ agreedAt: target.value })}
      />
    </div>
  )
}

/** Campaigns that a follow-up can be written to. */
const MOST_CAMPAIGNS = 50

/** People who got an earlier campaign and have not answered it, or not ordered since. */
function FollowUpFields({ draft, set }: StepProps) {
  const t = useT()
  const { data } = useQuery(read(listCampaigns, { query: { limit: MOST_CAMPAIGNS } }))
  const begun = (data?.items ?? []).filter(({ startedAt }) => startedAt !== null)
  if (begun.length === 0 && draft.after === null) return null
  return (
    <div className="grid w-full items-start gap-4 sm:grid-cols-2">
      <SelectField
        label={t('campaigns.after')}
        hint={t('campaigns.after.hint')}
        placeholder={t('campaigns.after.none')}
        value={draft.after}
        options={begun.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(after) => set({ after })}
      />
      {draft.after !== null && (
        <div className="sm:pt-9">
          <Segmented
            label={t('campaigns.without')}
            value={draft.without}
            options={(['answer', 'order'] as const).map((value) => ({ value, label: t(`campaigns.without.${value}`) }))}
            onChange={(without) => set({ without })}
          />
        </div>
      )}
    </div>
  )
}

function FilterFields({ draft, set, template, second }: StepProps) {
  const t = useT()
  const nameIn = useNameIn()
  const { data: areas = [] } = useQuery(read(listAreas))
  const { data: vendors = [] } = useQuery(read(listVendors))
  const { data: labels = [] } = useQuery(read(listLabels))
  const options = (list: readonly { id: number; name: string; nameAr: string | null }[]) =>
    list.map((one) => ({ value: one.id, label: nameIn(one) }))
  return (
    <>
      <p className="text-ink-2">{t('campaigns.filter.hint')}</p>
      <div className="flex flex-wrap gap-2">
        <ChoiceFilter
          label={t('campaigns.areas')}
          multiple
          searchable
          values={draft.areaIds}
          options={options(areas)}
          onChange={(areaIds) => set({ areaIds })}
        />
        <ChoiceFilter
          label={t('campaigns.vendors')}
          multiple
          values={draft.vendorIds}
          options={options(vendors)}
          onChange={(vendorIds) => set({ vendorIds })}
        />
        <ChoiceFilter
          label={t('campaigns.speaks')}
          values={draft.speaks ? [draft.speaks] : []}
          options={(['ar', 'en'] as const).map((value) => ({ value, label: t(`templates.language.${value}`) }))}
          onChange={([speaks]) => set({ speaks: speaks ?? null })}
        />
        {(labels.length > 0 || draft.labels.length > 0) && (
          <ChoiceFilter
            label={t('campaigns.labels')}
            multiple
            searchable
            values={draft.labels}
            options={[...new Set([...labels.map(({ label }) => label), ...draft.labels])].map((value) => ({
              value,
              label: value,
            }))}
            onChange={(chosen) => set({ labels: chosen })}
          />
        )}
      </div>
      <div className="grid w-full items-start gap-4 sm:grid-cols-2">
        <NumberField label={t('campaigns.within')} value={draft.within} onChange={(within) => set({ within })} />
        <NumberField label={t('campaigns.notFor')} value={draft.notFor} onChange={(notFor) => set({ notFor })} />
        <MoneyField label={t('campaigns.minSpend')} value={draft.minSpend} onChange={(minSpend) => set({ minSpend })} />
        <MoneyField label={t('campaigns.maxSpend')} value={draft.maxSpend} onChange={(maxSpend) => set({ maxSpend })} />
        <NumberField
          label={t('campaigns.silentFor')}
          hint={t('campaigns.silentFor.hint')}
          value={draft.silentFor}
          onChange={(silentFor) => set({ silentFor })}
        />
        <NumberField
          label={t('campaigns.minBottles')}
          value={draft.minBottles}
          onChange={(minBottles) => set({ minBottles })}
        />
        <CheckboxField
          label={t('campaigns.neverOrdered')}
          value={draft.neverOrdered}
          onChange={(neverOrdered) => set({ neverOrdered })}
          className="sm:pt-9"
        />
      </div>
      <FollowUpFields draft={draft} set={set} template={template} second={second} />
    </>
  )
}

function ListFields({ draft, set }: StepProps) {
  const t = useT()
  const [file, setFile] = useState<File | null>(null)
  async function take(next: File | null) {
    setFile(next)
    set({ list: next ? await next.text() : '', isDeclared: false })
  }
  return (
    <>
      <FileDrop
        label={t('campaigns.file')}
        hint={t('campaigns.file.hint', { count: MOST_RECIPIENTS })}
        accept=".csv,.txt"
        megabytes={MEGABYTES}
        className="w-full"
        value={file}
        onChange={(next) => void take(next)}
      />
      <TextArea
        label={t('campaigns.list')}
        hint={t('campaigns.list.hint')}
        rows={6}
        dir="ltr"
        className="w-full"
        spellCheck={false}
        value={draft.list}
        onChange={({ target }) => set({ list: target.value })}
      />
    </>
  )
}
