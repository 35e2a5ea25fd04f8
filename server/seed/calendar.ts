import { addDays } from '@qatra/contract/calendar/calendar'

export interface SeedHoliday {
  /** YYYY-MM-DD */
  day: string
  name: string
  nameAr: string
  /** A Hijri date that is computed, since it is announced shortly before. */
  isEstimated: boolean
}

const fixed: [monthAndDay: string, name: string, nameAr: string][] = [
  ['01-01', "New Year's Day", 'رأس السنة الميلادية'],
  ['05-01', 'Labour Day', 'عيد العمال'],
  ['12-16', 'National Day', 'العيد الوطني'],
  ['12-17', 'National Day holiday', 'عيد الجلوس'],
]

const hijri = {
  eidAlFitr: { days: 3, name: 'Eid al-Fitr', nameAr: 'عيد الفطر' },
  arafat: { days: 1, name: 'Arafat Day', nameAr: 'يوم عرفة' },
  eidAlAdha: { days: 3, name: 'Eid al-Adha', nameAr: 'عيد الأضحى' },
  newYear: { days: 1, name: 'Islamic New Year', nameAr: 'رأس السنة الهجرية' },
  ashura: { days: 2, name: 'Ashura', nameAr: 'عاشوراء' },
  prophetsBirthday: { days: 1, name: "The Prophet's Birthday", nameAr: 'المولد النبوي الشريف' },
} as const

/** First days by the Umm al-Qura calendar. */
const firstDays: Record<string, Record<keyof typeof hijri, string>> = {
  2026: {
    eidAlFitr: '03-20',
    arafat: '05-26',
    eidAlAdha: '05-27',
    newYear: '06-16',
    ashura: '06-24',
    prophetsBirthday: '08-25',
  },
  2027: {
    eidAlFitr: '03-09',
    arafat: '05-15',
    eidAlAdha: '05-16',
    newYear: '06-06',
    ashura: '06-14',
    prophetsBirthday: '08-14',
  },
  2028: {
    eidAlFitr: '02-26',
    arafat: '05-04',
    eidAlAdha: '05-05',
    newYear: '05-25',
    ashura: '06-02',
    prophetsBirthday: '08-03',
  },
}

/** Bahrain's public holidays of 2026 to 2028, in order. */
export const publicHolidays: readonly SeedHoliday[] = Object.entries(firstDays)
  .flatMap(([year, first]) => [
    ...fixed.map(([day, name, nameAr]) => ({ day: `${year}-${day}`, name, nameAr, isEstimated: false })),
    ...reckoned(year, first),
  ])
  .sort((a, b) => (a.day < b.day ? -1 : 1))

function reckoned(year: string, first: Record<keyof typeof hijri, string>): SeedHoliday[] {
  const occasions = Object.entries(hijri) as [keyof typeof hijri, (typeof hijri)[keyof typeof hijri]][] // the keys are those of the object
  return occasions.flatMap(([occasion, { days, name, nameAr }]) =>
    Array.from({ length: days }, (_, i) => ({
      day: addDays(`${year}-${first[occasion]}`, i),
      name,
      nameAr,
      isEstimated: true,
    })),
  )
}
