import { expect, it } from 'vitest'
import { givenName } from './given-name.ts'

it.each([
  ['عبد الله حسن', 'عبد الله'],
  ['عَبد الرحمن علي', 'عَبد الرحمن'],
  ['عبدالله حسن', 'عبدالله'],
  ['أبو بكر الصديق', 'أبو بكر'],
  ['نور الدين علي', 'نور الدين'],
  ['السيد عبد الأمير مهدي', 'السيد عبد الأمير'],
  ['بلال يوسف', 'بلال'],
  ['Abdul Rahman Ali', 'Abdul Rahman'],
  ['Mohd. Irfan Khan', 'Mohd. Irfan'],
  ['Syed Ali Hasan', 'Syed Ali'],
  ['Noor Uddin Shah', 'Noor Uddin'],
  ['Maria Santos', 'Maria'],
  ['  Bilal  ', 'Bilal'],
  ['عبد', 'عبد'],
  ['', ''],
])('the given name of "%s" is "%s"', (name, given) => {
  expect(givenName(name)).toBe(given)
})
