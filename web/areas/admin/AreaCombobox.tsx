import { type AreaSummary, listAreas } from '@qatra/contract/places/areas'
import { useQuery } from '@tanstack/react-query'
import { useNameIn } from '../../app/names.ts'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { Combobox } from '../../ui/admin/form/Combobox.tsx'

interface AreaComboboxProps {
  area: AreaSummary | null
  /** Areas that this vendor does not serve are marked. */
  vendorId: number | null
  error: string | false | undefined
  placeholder?: string
  required?: boolean
  onChoose(area: AreaSummary | null): void
}

/** The area of an address, for staff. */
export function AreaCombobox({ area, vendorId, onChoose, ...props }: AreaComboboxProps) {
  const t = useT()
  const nameIn = useNameIn()
  const { data: areas } = useQuery(read(listAreas))
  return (
    <Combobox
      {...props}
      label={t('desk.filter.area')}
      value={area?.id ?? null}
      {...(area ? { chosenLabel: nameIn(area) } : {})}
      onChange={(id) => onChoose(areas?.find((one) => one.id === id) ?? null)}
      options={areas?.map((one) => ({
        value: one.id,
        label: nameIn(one),
        also: `${one.name} ${one.nameAr ?? ''}`,
        ...(vendorId !== null && !one.vendorIds.includes(vendorId) ? { hint: t('desk.address.notServed') } : {}),
      }))}
    />
  )
}
