import { listAreas } from '@qatra/contract/areas'
import { listVendors } from '@qatra/contract/vendors'
import { createCampaign, exclusionReasons, listCampaigns, previewCampaign } from '@qatra/contract/whatsapp-campaigns'
import { listTemplates, type Template } from '@qatra/contract/whatsapp-templates'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { CallError, call, read } from '../../app/call.ts'
import { useLanguage, useT } from '../../app/i18n.tsx'
import { useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { ChoiceFilter } from '../../ui/office/ChoiceFilter.tsx'
import { Desk } from '../../ui/office/Desk.tsx'
import { CheckboxField, MoneyField, NumberField, SelectField } from '../../ui/office/fields.tsx'
import { Segmented } from '../../ui/office/Segmented.tsx'
import { contentOf, type Draft, emptyDraft, keyOf } from './campaign-draft.ts'
import { languageName, TemplatePreview } from './TemplatePreview.tsx'

const steps = ['template', 'people', 'values', 'when', 'check'] as const

interface StepProps {
  draft: Draft
  template: Template | undefined
  set(change: Partial<Draft>): void
}

function NewCampaignPage() {
  const t = useT()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { data: templates = [] } = useQuery(read(listTemplates))
  const [draft, setDraft] = useState(emptyDraft)
  const [step, setStep] = useState<(typeof steps)[number]>('template')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const usable = templates.filter(({ isSelectable }) => isSelectable)
  const template = usable.find((one) => keyOf(one) === draft.template)
  const at = steps.indexOf(step)
  function goOn() {
    const isReady = step !== 'template' || (template !== undefined && draft.name.trim() !== '')
    setProblem(isReady ? null : t('campaigns.fill'))
    if (isReady) setStep(steps[at + 1] ?? 'check')
  }
  async function save() {
    if (!template) return
    setBusy(true)
    try {
      const scheduledAt = draft.at === '' ? null : new Date(`${draft.at}:00+03:00`).toISOString()
      const body = { ...contentOf(draft, template), name: draft.name.trim(), scheduledAt }
      const { id } = await call(createCampaign, { body })
      void queries.invalidateQueries({ queryKey: [listCampaigns.path] })
      void navigate({ to: '/admin/whatsapp/campaigns/$id', params: { id } })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const isMissing = error.code === 'CAMPAIGN_VARIABLES_MISSING'
      setProblem(t(isMissing ? 'campaigns.error.CAMPAIGN_VARIABLES_MISSING' : 'campaigns.error.failed'))
    } finally {
      setBusy(false)
    }
  }
  const parts = { draft, template, set }
  return (
    <Desk title={t('campaigns.new')} narrow>
      <ol className="rail mb-5 gap-2" aria-label={t('campaigns.steps')}>
        {steps.map((one, n) => (
          <li key={one} aria-current={one === step ? 'step' : undefined} className="flex-none">
            <button
              type="button"
              disabled={n >= at}
              className={one === step ? 'h-tap px-2 font-strong text-ink' : 'h-tap px-2 text-ink-3'}
              onClick={() => setStep(one)}
            >
              <bdi>{n + 1}</bdi> · {t(`campaigns.step.${one}`)}
            </button>
          </li>
        ))}
      </ol>
      <div className="grid max-w-160 gap-4">
        {step === 'template' && <TemplateStep {...parts} templates={usable} />}
        {step === 'people' && <PeopleStep {...parts} />}
        {step === 'values' && <ValuesStep {...parts} />}
        {step === 'when' && (
          <TextField
            label={t('campaigns.when.at')}
            hint={t('campaigns.when.hint')}
            type="datetime-local"
            ltr
            value={draft.at}
            onChange={({ target }) => set({ at: target.value })}
          />
        )}
        {step === 'check' && template && <CheckStep draft={draft} template={template} />}
        {problem && (
          <p role="alert" className="text-clay">
            {problem}
          </p>
        )}
        <div className="flex gap-2.5">
          {at > 0 && (
            <Button tone="quiet" onClick={() => setStep(steps[at - 1] ?? 'template')}>
              {t('campaigns.back')}
            </Button>
          )}
          {step === 'check' ? (
            <Button tone="gulf" busy={busy} onClick={() => void save()}>
              {t('campaigns.save')}
            </Button>
          ) : (
            <Button tone="gulf" onClick={goOn}>
              {t('campaigns.next')}
            </Button>
          )}
        </div>
      </div>
    </Desk>
  )
}

function TemplateStep({ draft, template, set, templates }: StepProps & { templates: readonly Template[] }) {
  const t = useT()
  return (
    <>
      <TextField
        label={t('campaigns.name')}
        maxLength={255}
        value={draft.name}
        onChange={({ target }) => set({ name: target.value })}
      />
      <SelectField
        label={t('campaigns.template')}
        placeholder={t('campaigns.template.choose')}
        value={draft.template}
        options={templates.map((one) => ({
          value: keyOf(one),
          label: `${one.name} · ${languageName(t, one.language)}`,
        }))}
        onChange={(next) => set({ template: next, values: {}, hasLinks: false })}
      />
      {template && <TemplatePreview template={template} />}
    </>
  )
}

function PeopleStep({ draft, set }: StepProps) {
  const t = useT()
  const nameIn = useNameIn()
  const { data: areas = [] } = useQuery(read(listAreas))
  const { data: vendors = [] } = useQuery(read(listVendors))
  const options = (list: readonly { id: number; name: string; nameAr: string | null }[]) =>
    list.map((one) => ({ value: one.id, label: nameIn(one) }))
  return (
    <>
      <Segmented
        label={t('campaigns.source')}
        value={draft.source}
        options={(['filter', 'list'] as const).map((value) => ({ value, label: t(`campaigns.source.${value}`) }))}
        onChange={(source) => set({ source })}
      />
      {draft.source === 'filter' ? (
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
          </div>
          <NumberField label={t('campaigns.within')} value={draft.within} onChange={(within) => set({ within })} />
          <NumberField label={t('campaigns.notFor')} value={draft.notFor} onChange={(notFor) => set({ notFor })} />
          <MoneyField
            label={t('campaigns.minSpend')}
            value={draft.minSpend}
            onChange={(minSpend) => set({ minSpend })}
          />
        </>
      ) : (
        <>
          <TextArea
            label={t('campaigns.list')}
            hint={t('campaigns.list.hint')}
            rows={8}
            dir="ltr"
            value={draft.list}
            onChange={({ target }) => set({ list: target.value })}
          />
          <label className="w-fit cursor-pointer text-aqua-ink underline">
            {t('campaigns.file')}
            <input
              type="file"
              accept=".csv,.txt,text/csv"
              className="sr-only"
              onChange={({ target }) => void target.files?.[0]?.text().then((list) => set({ list }))}
            />
          </label>
        </>
      )}
    </>
  )
}

function ValuesStep({ draft, template, set }: StepProps) {
  const t = useT()
  if (!template) return null
  return (
    <>
      {template.variables.length === 0 && <p>{t('campaigns.values.none')}</p>}
      {template.variables.length > 0 && <p className="text-ink-2">{t('campaigns.values.hint')}</p>}
      {template.variables.map(({ key, label, part, example }) => (
        <TextField
          key={key}
          label={t(`campaigns.value.${part}`, { label })}
          dir="auto"
          maxLength={1024}
          hint={example ?? undefined}
          value={draft.values[key] ?? ''}
          onChange={({ target }) => set({ values: { ...draft.values, [key]: target.value } })}
        />
      ))}
      <CheckboxField
        label={t('campaigns.links')}
        hint={t('campaigns.links.hint')}
        value={draft.hasLinks}
        onChange={(hasLinks) => set({ hasLinks })}
      />
      <TemplatePreview template={template} values={draft.values} />
    </>
  )
}

function CheckStep({ draft, template }: { draft: Draft; template: Template }) {
  const { t, lang } = useLanguage()
  const body = contentOf(draft, template)
  const query = useQuery({
    queryKey: [previewCampaign.path, body],
    queryFn: () => call(previewCampaign, { body }),
    retry: false,
  })
  if (query.error) {
    return (
      <p role="alert" className="text-clay">
        {t('campaigns.error.TEMPLATE_NOT_AVAILABLE')}
      </p>
    )
  }
  const { data } = query
  if (!data) return <p aria-busy="true">{t('campaigns.counting')}</p>
  const left = exclusionReasons.filter((reason) => (data.exclusions[reason] ?? 0) > 0)
  return (
    <>
      <p className="text-title font-strong">{t('campaigns.goesTo', { count: data.count })}</p>
      <p className="text-ink-2">{t('campaigns.takes', { minutes: Math.max(1, Math.ceil(data.seconds / 60)) })}</p>
      {left.length > 0 && (
        <dl className="grid gap-1 rounded-m bg-well p-4">
          <dt className="font-strong">{t('campaigns.leftOut')}</dt>
          {left.map((reason) => (
            <dd key={reason} className="flex justify-between gap-4">
              {t(`campaigns.reason.${reason}`)} <bdi>{data.exclusions[reason]}</bdi>
            </dd>
          ))}
        </dl>
      )}
      {data.missing.map(({ variable, count }) => (
        <p key={variable} role="alert" className="text-clay">
          {t('campaigns.missing', { variable, count })}
        </p>
      ))}
      {data.samples.map(({ phone, text }) => (
        <p key={phone} dir="auto" className="rounded-m bg-well p-4 whitespace-pre-wrap" lang={lang}>
          {text}
        </p>
      ))}
    </>
  )
}

export const page: Page = {
  Component: NewCampaignPage,
  load: async ({ queries }) => {
    await Promise.all([
      queries.ensureQueryData(read(listTemplates)),
      queries.ensureQueryData(read(listVendors)),
      queries.ensureQueryData(read(listAreas)),
    ])
  },
  head: ({ t }) => ({ title: t('campaigns.new'), hidden: true }),
}
