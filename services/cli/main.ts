import { Command } from 'commander';
import { register as registerDoctor } from './commands/doctor.ts';
import { register as registerRoles } from './commands/roles.ts';
import { register as registerUp } from './commands/up.ts';

const groups = [registerUp, registerRoles, registerDoctor];

const program = new Command('fieldstone')
  .description('A self-hosted site publishing service.')
  .showHelpAfterError('Run fieldstone --help to see every command.')
  .enablePositionalOptions();
for (const register of groups) register(program);
await program.parseAsync();
