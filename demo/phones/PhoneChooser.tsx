import { formatPhone, parsePhone, phoneProblemKey } from '@qatra/contract/lib/phone'
import { Link, useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useT } from '../../web/lib/language/i18n.tsx'
import { Phone } from '../../web/ui/Bidi.tsx'
import { Button } from '../../web/ui/Button.tsx'
import { chipClass } from '../../web/ui/Chip.tsx'
import { TextField } from '../../web/ui/Field.tsx'
import type { DemoPhone } from './demo-phones.ts'

interface PhoneChooserProps {
  /** The page to open. */
  page: '/simulator' | '/simulator/telegram'
  phone: string | null
  phones: readonly DemoPhone[]
  label?: string
  /** Offers all phones at once. */
  hasAll?: boolean
}

/** Selects a phone by number or from the demo data. It is part of the address, so that it can be shared. */
export function PhoneChooser({ page, phone, phones, label, hasAll = false }: PhoneChooserProps) {
  const t = useT()
  const router = useRouter()
  const [typed, setTyped] = useState(phone ? formatPhone(phone) : '')
  const [error, setError] = useState<string | null>(null)
  const open = (event: FormEvent) => {
    event.preventDefault()
    const parsed = parsePhone(typed)
    if (!parsed.ok) return setError(t(phoneProblemKey(parsed.reason)))
    void router.navigate({ to: page, search: { phone: parsed.phone }, resetScroll: false })
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <form noValidate onSubmit={open} className="grid max-w-110 grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
        <TextField
          ltr
          label={label ?? t('simulator.phone')}
          error={error}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          placeholder="XXXXXXXX"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setError(null)
          }}
        />
        <Button type="submit" className="mt-7.5 min-h-12">
          {t('simulator.open')}
        </Button>
      </form>
      <section aria-labelledby="demo-phones">
        <h2 id="demo-phones" className="mb-1.5 text-label font-strong">
          {t('simulator.demo')}
        </h2>
        <ul className="-mx-4 rail gap-2 px-4 py-1 md:mx-0 md:grid md:max-w-110 md:gap-1 md:overflow-visible md:px-0">
          {hasAll && (
            <li>
              <Link
                to={page}
                search={{}}
                resetScroll={false}
                aria-current={phone === null}
                className={`${chipClass(phone === null)} md:flex md:w-full`}
              >
                {t('simulator.allPhones')}
              </Link>
            </li>
          )}
          {phones.map((one) => (
            <li key={one.phone}>
              <Link
                to={page}
                search={{ phone: one.phone }}
                resetScroll={false}
                aria-current={phone === one.phone}
                className={`${chipClass(phone === one.phone)} md:flex md:w-full md:justify-between`}
              >
                {t(one.role)}
                <Phone phone={one.phone} className="max-md:hidden" />
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
