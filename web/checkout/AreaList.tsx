import { type AreaSummary, listAreas } from '@qatra/contract/places/areas'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useNameIn } from '../app/names.ts'
import { searchAreas } from '../areas/area-search.ts'
import { read } from '../lib/api-client.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/class-names.ts'
import { TextField } from '../ui/Field.tsx'
import { CheckIcon, DownIcon, SearchIcon } from '../ui/icons.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

interface AreaListProps {
  vendorId: number | null
  areaId: number | null
  onChoose(area: AreaSummary): void
}

/** Searchable list of areas, as an alternative to the map. */
export function AreaList({ vendorId, areaId, onChoose }: AreaListProps) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [sought, setSought] = useState('')
  const opener = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const { data: areas, isError, refetch } = useQuery({ ...read(listAreas), enabled: isOpen })
  const { areas: matching, isOfBlock, isExact } = searchAreas(sought, areas ?? [], { lang, nameOf: nameIn })
  const isGuess = isOfBlock || !isExact
  useEffect(() => {
    if (!isOpen) return
    field.current?.focus()
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])

  function choose(area: AreaSummary) {
    setOpen(false)
    setSought('')
    opener.current?.focus()
    onChoose(area)
  }
  return (
    <div className="mb-4">
      <button
        ref={opener}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-tap items-center gap-1.5 font-strong text-aqua-ink hover:underline"
      >
        {t('checkout.areas.open')}
        <DownIcon size={18} aria-hidden="true" className={classes('duration-120', isOpen && 'rotate-180')} />
      </button>
      <div
        ref={panel}
        id={id}
        hidden={!isOpen}
        className="mt-1 rounded-m inset-ring inset-ring-line p-3"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          setOpen(false)
          opener.current?.focus()
        }}
      >
        <TextField
          ref={field}
          label={t('checkout.areas.search')}
          type="search"
          autoComplete="off"
          maxLength={100}
          value={sought}
          onChange={({ currentTarget }) => setSought(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            const [first] = matching
            if (first && sought.trim() && (!isGuess || matching.length === 1)) choose(first)
          }}
          icon={<SearchIcon size={18} aria-hidden="true" className="text-ink-3" />}
        />
        <div className="mt-2 h-66 overflow-y-auto">
          {isOpen && !areas && !isError && <Skeleton className="h-full" />}
          {isError && <Button onClick={() => void refetch()}>{t('checkout.areas.failed')}</Button>}
          {areas && matching.length === 0 && <p className="py-2 text-ink-2">{t('checkout.areas.none')}</p>}
          {isGuess && matching.length > 0 && (
            <p className="py-1 text-label font-strong text-ink-3">
              {t(isOfBlock ? 'checkout.areas.ofBlock' : 'checkout.areas.near')}
            </p>
          )}
          <ul>
            {matching.map((area) => (
              <li key={area.id}>
                <button
                  type="button"
                  aria-pressed={area.id === areaId}
                  onClick={() => choose(area)}
                  className="flex min-h-tap w-full items-center gap-2 rounded-s px-2 text-start hover:bg-well"
                >
                  <span>{nameIn(area)}</span>
                  {vendorId !== null && !area.vendorIds.includes(vendorId) && (
                    <span className="text-label text-ink-3">{t('checkout.areas.notServed')}</span>
                  )}
                  {area.id === areaId && <CheckIcon size={18} aria-hidden="true" className="ms-auto text-aqua-ink" />}
                </button>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  )
}
