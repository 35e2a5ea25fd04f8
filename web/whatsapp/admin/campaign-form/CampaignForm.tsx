import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { type CampaignDetail, getCampaign, listCampaigns } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { listSends } from '@qatra/contract/whatsapp/campaigns/sends'
import { listTemplates } from '@qatra/contract/whatsapp/templates/templates'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { UnsavedChanges } from '../../../ui/admin/form/UnsavedChanges.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { Segmented } from '../../../ui/admin/Segmented.tsx'
import { Button } from '../../../ui/Button.tsx'
import { classes } from '../../../ui/class-names.ts'
import { TextField } from '../../../ui/Field.tsx'
import { CheckIcon, WarningIcon } from '../../../ui/icons.tsx'
import { TemplatePreview } from '../templates/TemplatePreview.tsx'
import { useNow } from '../use-now.ts'
import { CheckStep } from './CheckStep.tsx'
import {
  type Content,
  contentOf,
  type Draft,
  hasConsent,
  hasPeople,
  instantOf,
  keyOf,
  otherLanguageOf,
} from './campaign-draft.ts'
import { PeopleStep } from './PeopleStep.tsx'
import { type StepProps, TemplateStep } from './TemplateStep.tsx'
import { ValuesStep } from './ValuesStep.tsx'

/** Default: tomorrow at 10:00. */
const suggested = () => `${bahrainDate(new Date(Date.now() + 86_400_000))}T10:00`

function WhenStep({ draft, set }: StepProps) {
  const t = useT()
  const isLater = draft.at !== ''
  return (
    <div className="grid justify-items-start gap-4">
      <Segmented
        label={t('campaigns.step.when')}
        value={isLater ? 'later' : 'now'}
        options={[
          { value: 'now', label: t('campaigns.when.now') },
          { value: 'later', label: t('campaigns.when.later') },
        ]}
        onChange={(choice) => set({ at: choice === 'now' ? '' : suggested() })}
      />
      {isLater ? (
        <TextField
          label={t('campaigns.when.at')}
          hint={t('campaigns.when.hint')}
          type="datetime-local"
          ltr
          className="w-full max-w-80"
          value={draft.at}
          onChange={({ target }) => set({ at: target.value })}
        />
      ) : (
        <p className="text-ink-2">{t('campaigns.when.now.hint')}</p>
      )}
    </div>
  )
}

const steps = ['template', 'people', 'values', 'when', 'check'] as const
type Step = (typeof steps)[number]

interface CampaignStepsProps {
  step: Step
  /** Index of the first incomplete step; later steps are disabled. */
  open: number
  onChoose(step: Step): void
}

function CampaignSteps({ step, open, onChoose }: CampaignStepsProps) {
  const t = useT()
  const at = steps.indexOf(step)
  const list = useRef<HTMLOListElement>(null)
  // On a phone the later steps are outside the visible part of the list.
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [at])
  return (
    <ol ref={list} aria-label={t('campaigns.steps')} className="rail -mx-2 gap-1">
      {steps.map((one, place) => {
        const isHere = one === step
        const isDone = place < at
        return (
          <li key={one} aria-current={isHere ? 'step' : undefined} className="flex-none">
            <button
              type="button"
              aria-disabled={place > open || undefined}
              className={classes(
                'flex h-tap items-center gap-2 rounded-s px-2',
                isHere ? 'font-strong text-ink' : place > open ? 'text-ink-3' : 'text-ink-2 hover:text-ink',
              )}
              onClick={place > open ? undefined : () => onChoose(one)}
            >
              <span
                aria-hidden="true"
                className={classes(
                  'grid size-6 place-items-center rounded-full text-caption font-strong',
                  isHere ? 'bg-gulf text-on-gulf' : isDone ? 'bg-gulf-soft text-gulf' : 'bg-well text-ink-2',
                )}
              >
                {isDone ? <CheckIcon size={14} /> : place + 1}
              </span>
              {t(`campaigns.step.${one}`)}
            </button>
          </li>
        )
      })}
    </ol>
  )
}

interface CampaignFormProps {
  title: string
  start: Draft
  /** The campaign being edited; missing for a new one. */
  campaign?: CampaignDetail
  save(body: Content & { name: string; scheduledAt: string | null }): Promise<CampaignDetail>
}

/** Campaign form in five steps: template, recipients, values, schedule, review. */
export function CampaignForm({ title, start, campaign, save }: CampaignFormProps) {
  const t = useT()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { data: templates = [] } = useQuery(read(listTemplates))
  const [step, setStep] = useState<Step>('template')
  const [problem, setProblem] = useState<string | null>(null)
  const now = useNow()
  // Offers alone; the others answer an order. A campaign that has another one already keeps it.
  const usable = templates.filter(
    (one) => one.isSelectable && (one.category === 'MARKETING' || one.name === start.template?.split(' ')[0]),
  )
  const notListed = templates.filter(({ status, unfillable }) => status === 'APPROVED' && unfillable !== null).length
  const templateOf = (values: Draft) => usable.find((one) => keyOf(one) === values.template)
  const form = useForm({
    body: undefined,
    start,
    toBody: (values) => values,
    async send(values) {
      const template = templateOf(values)
      if (!template) throw new Error('A campaign needs a template')
      const isDeclared =
        values.source !== 'filter' && values.isDeclared && values.agreedAt !== campaign?.consent?.source
      const isNewList = values.source === 'list' && values.isDeclared
      return save({
        ...contentOf(values, template),
        ...(isDeclared || isNewList ? { consentSource: values.agreedAt.trim() } : {}),
        name: values.name.trim(),
        scheduledAt: instantOf(values.at),
      })
    },
    onSaved(saved) {
      queries.setQueryData(read(getCampaign, { params: { id: saved.id } }).queryKey, saved)
      void queries.invalidateQueries({ queryKey: [listCampaigns.path] })
      void queries.invalidateQueries({ queryKey: [listSends.path] })
      void navigate({ to: '/admin/whatsapp/campaigns/$id', params: { id: saved.id } })
    },
    failureOf: (error) => refusalText(t, error, 'campaigns', 'admin.form'),
    onRefused: setProblem,
  })
  const { values: draft, isDirty, busy } = form
  const set: StepProps['set'] = (change) => {
    setProblem(null)
    form.set(change)
  }
  const template = templateOf(draft)
  const other = template && otherLanguageOf(template, usable)
  const second = other && draft.second === other.language ? other : undefined
  const at = steps.indexOf(step)
  const missing: Record<Step, string | null> = {
    template: template && draft.name.trim() !== '' ? null : t('campaigns.fill'),
    people: hasPeople(draft) ? (hasConsent(draft) ? null : t('campaigns.consent.fill')) : t('campaigns.people.fill'),
    values: null,
    when: draft.at === '' || Date.parse(instantOf(draft.at) ?? '') > now.getTime() ? null : t('campaigns.when.past'),
    check: null,
  }
  const furthest = steps.findIndex((one) => missing[one] !== null)
  function goTo(next: Step) {
    const blocking = steps.slice(0, steps.indexOf(next)).find((one) => missing[one] !== null)
    setProblem(blocking ? missing[blocking] : null)
    setStep(blocking ?? next)
  }
  const parts = { draft, template, second, campaign, set }
  const saving = (
    <Button tone="gulf" busy={busy} onClick={() => (furthest < 0 ? void form.submit() : goTo('check'))}>
      {t('campaigns.save')}
    </Button>
  )
  return (
    <AdminPageLayout title={title}>
      <div className="grid items-start gap-x-10 gap-y-6 px-4 pb-10 md:px-6 desk:grid-cols-[minmax(0,1fr)_320px]">
        <div className="grid min-w-0 max-w-180 gap-5">
          <CampaignSteps step={step} open={furthest < 0 ? steps.length : furthest} onChoose={goTo} />
          {step === 'template' && <TemplateStep {...parts} other={other} templates={usable} notListed={notListed} />}
          {step === 'people' && <PeopleStep {...parts} />}
          {step === 'values' && <ValuesStep {...parts} />}
          {step === 'when' && <WhenStep {...parts} />}
          {step === 'check' && template && <CheckStep {...parts} template={template} second={second} />}
          <div
            role="alert"
            className={problem ? 'flex gap-2 rounded-m bg-clay-soft px-3.5 py-2.5 text-clay' : 'hidden'}
          >
            {problem && <WarningIcon size={18} aria-hidden="true" className="mt-0.5 flex-none" />}
            {problem}
          </div>
          <div className="flex flex-wrap gap-2.5">
            {at > 0 && <Button onClick={() => goTo(steps[at - 1] ?? 'template')}>{t('campaigns.back')}</Button>}
            {step === 'check' ? (
              saving
            ) : (
              <>
                <Button tone={campaign && isDirty ? 'quiet' : 'gulf'} onClick={() => goTo(steps[at + 1] ?? 'check')}>
                  {t('campaigns.next')}
                </Button>
                {campaign && isDirty && saving}
              </>
            )}
          </div>
        </div>
        {template && step !== 'check' && (
          <aside aria-label={t('templates.preview')} className="grid gap-2 desk:sticky desk:top-6">
            <h2 className="text-caption text-ink-3">{t('templates.preview')}</h2>
            <TemplatePreview template={template} values={draft.values} />
            {second && <TemplatePreview template={second} values={draft.secondValues} />}
          </aside>
        )}
      </div>
      <UnsavedChanges isUnsaved={() => isDirty} isSaving={busy} />
    </AdminPageLayout>
  )
}
