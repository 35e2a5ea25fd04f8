import type { PersonalData } from './database/personal-data.ts'
import { register } from './personal-data/register.commands.ts'
import { simulatorPersonalData } from './providers/simulator/personal.commands.ts'

/** All tables of personal data; the simulator's need no other. */
export const personalData: readonly PersonalData[] = [...register, ...simulatorPersonalData]
