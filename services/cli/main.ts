import { Command } from 'commander';
import { register as registerDoctor } from './commands/doctor.ts';
import { register as registerKeys } from './commands/keys.ts';
import { register as registerMigrate } from './commands/migrate.ts';
import { register as registerRoles } from './commands/roles.ts';
import { register as registerUp } from './commands/up.ts';
import { register as registerUsers } from './commands/users.ts';

const groups = [registerUp, registerRoles, registerMigrate, registerDoctor, registerKeys, registerUsers];

const program = new Command('fieldstone')
  .description('A self-hosted site publishing service.')
  .showHelpAfterError('Run fieldstone --help to see every command.')
  .enablePositionalOptions();
for (const register of groups) register(program);
await program.parseAsync();
