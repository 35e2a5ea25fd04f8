import { getSettings } from '@qatra/contract/settings/settings'
import { getSetup, type SetupGap, type SetupItem, type SetupKey } from '@qatra/contract/settings/setup'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { read } from '../../lib/api-client.ts'
import { type MessageKey, useT } from '../../lib/language/i18n.tsx'
import { DraftOf } from '../../ui/admin/form/use-form.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { AreasStep } from './AreasStep.tsx'
import { leaveForStep } from './BackToSetup.tsx'
import { CompanyForm } from './CompanyForm.tsx'
import { CustomersStep, DaysStep, OfferStep, PeopleStep } from './OfferStep.tsx'
import { TestOrderStep } from './TestOrderStep.tsx'

interface Place {
  label: MessageKey
  to: `/admin/${string}`
}

/** Steps that are done on a page of their own. */
const pageOf: Partial<Record<SetupKey, Place>> = {
  whatsapp: { label: 'setup.whatsapp.open', to: '/admin/whatsapp/connection' },
  telegram: { label: 'setup.telegram.open', to: '/admin/telegram' },
}
/** Pages that have more about a step than its form. */
const moreOf: Partial<Record<SetupKey, Place>> = {
  account: { label: 'setup.account.open', to: '/admin/users' },
  vendor: { label: 'setup.vendor.new', to: '/admin/vendors/new' },
  days: { label: 'setup.days.calendar', to: '/admin/calendar' },
  people: { label: 'setup.account.open', to: '/admin/users' },
  customers: { label: 'setup.customers.open', to: '/admin/customers' },
}

/** What the chosen step is about, and where it is done. */
export function StepPane({ item, items }: { item: SetupItem; items: readonly SetupItem[] }) {
  const t = useT()
  const { key } = item
  const next = items.slice(items.indexOf(item) + 1).find(({ done, optional }) => !done && !optional)
  return (
    <section
      aria-labelledby="setup-step"
      className="flex min-w-0 flex-col gap-5 px-4 py-5.5 max-md:order-first md:px-8"
    >
      <div>
        <h2 id="setup-step" className="text-title">
          {t(`setup.${key}`)}
        </h2>
        <p className="max-w-160 text-ink-2">{t(`setup.${key}.text`)}</p>
        <Missing gaps={item.missing} />
      </div>
      <DraftOf value={`setup.${key}`}>
        {key === 'company' ? (
          <Company next={next} />
        ) : (
          <>
            {key === 'areas' ? (
              <AreasStep item={item} />
            ) : key === 'testOrder' ? (
              <TestOrderStep item={item} isReady={items.some((one) => one.key === 'vendor' && one.done)} />
            ) : (
              <>
                {key === 'vendor' && <OfferStep item={item} />}
                {key === 'days' && <DaysStep />}
                {key === 'people' && <PeopleStep />}
                {key === 'customers' && <CustomersStep />}
                <PlaceLink step={key} place={pageOf[key]} tone={item.done ? 'quiet' : 'aqua'} />
                <PlaceLink step={key} place={moreOf[key]} tone="quiet" />
              </>
            )}
            {next && (
              <div className="mt-auto flex justify-end border-t border-line pt-3.5">
                <StepLink step={next.key}>
                  {item.done || item.optional
                    ? t('setup.next', { step: t(`setup.${next.key}`) })
                    : `${t('setup.later')} · ${t(`setup.${next.key}`)}`}
                </StepLink>
              </div>
            )}
          </>
        )}
      </DraftOf>
    </section>
  )
}

const isFact = (gap: SetupGap): gap is Extract<SetupGap, `company.${string}`> => gap.startsWith('company.')

/** What the step still lacks, by name. */
function Missing({ gaps }: { gaps: readonly SetupGap[] }) {
  const t = useT()
  if (gaps.length === 0) return null
  return (
    <div className="mt-2 flex max-w-180 flex-wrap gap-x-1.5 text-label">
      <p className="font-strong">{t('setup.missing')}</p>
      <ul className="contents">
        {gaps.map((gap) => (
          <li key={gap} className="text-ink-2 not-last:after:ms-1.5 not-last:after:content-['·']">
            {t(isFact(gap) ? `settings.${gap}` : `setup.missing.${gap}`)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Company({ next }: { next: SetupItem | undefined }) {
  const t = useT()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { data: settings } = useQuery(read(getSettings))
  if (!settings) return null
  return (
    <CompanyForm
      key={settings.version}
      settings={settings}
      submit={t('settings.saveAndNext')}
      onSaved={async () => {
        const items = await queries.fetchQuery({ ...read(getSetup), staleTime: 0 })
        const isComplete = items.some(({ key, done }) => key === 'company' && done)
        if (next && isComplete) await navigate({ to: '/admin/setup', search: { step: next.key } })
        else scrollTo({ top: 0 })
      }}
    />
  )
}

interface PlaceLinkProps {
  step: SetupKey
  place: Place | undefined
  tone: 'aqua' | 'quiet'
}

/** Opens a page that leads back to the step. */
function PlaceLink({ step, place, tone }: PlaceLinkProps) {
  const t = useT()
  if (!place) return null
  return (
    <div>
      <Link to={place.to as '/admin'} onClick={() => leaveForStep(step)} className={buttonClass(tone)}>
        {t(place.label)}
      </Link>
    </div>
  )
}

const StepLink = ({ step, children }: { step: SetupKey; children: ReactNode }) => (
  <Link to="/admin/setup" search={{ step }} className={buttonClass('quiet')}>
    {children}
  </Link>
)
