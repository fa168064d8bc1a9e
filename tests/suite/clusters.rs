//! The page on clusters: its lines are run as they are, where the programs in them exist.
//!
//! Slurm is a controller and a node on this machine, with a configuration of their own.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot read the page has failed"
)]

use crate::support::outside::{exists, run_for, skipped, until};
use crate::support::process::{code, fencepost, stderr, stdout};
use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// How long the lines of the page may take, in seconds.
const LIMIT: u64 = 120;

/// The block of the page whose first line begins with this.
fn lines_of(beginning: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide/clusters.md");
    let page = fs::read_to_string(file).expect("the page is there");
    let blocks = page.split("```").skip(1).step_by(2);
    let mut texts = blocks.filter_map(|block| block.strip_prefix("text\n"));
    let block = texts.find(|block| block.starts_with(beginning));
    block.expect("the page has these lines").to_owned()
}

/// A folder to run the lines in: with a corpus, a program, and `fencepost` itself as a command.
struct Place {
    folder: TempDir,
    commands: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (corpus, commands) = (folder.path().join("corpus"), folder.path().join("commands"));
        fs::create_dir(&corpus).unwrap();
        fs::create_dir(&commands).unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/guide");
        for entry in fs::read_dir(from).unwrap() {
            let file = entry.unwrap().path();
            fs::copy(&file, corpus.join(file.file_name().unwrap())).unwrap();
        }
        let program = corpus.join("claim.fence");
        fs::copy(program, folder.path().join("queue.fence")).unwrap();
        let place = Self { folder, commands };
        let path = env!("CARGO_BIN_EXE_fencepost");
        place.command("fencepost", &format!("exec '{path}' \"$@\""));
        place
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Makes a command of these lines of a shell.
    fn command(&self, name: &str, lines: &str) {
        let file = self.commands.join(name);
        fs::write(&file, format!("#!/bin/sh\n{lines}\n")).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o755)).unwrap();
    }

    /// A shell that runs these lines.
    fn shell(&self, lines: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", self.commands.display());
        let mut shell = Command::new("bash");
        shell.args(["-c", lines]).env("PATH", path);
        shell.current_dir(self.path());
        shell
    }

    fn run(&self, lines: &str) -> Output {
        let log = tempfile::tempdir().unwrap();
        run_for(LIMIT, &mut self.shell(lines), log.path()).expect("the lines end in time")
    }

    /// What a single run prints about the corpus, and its exit code.
    fn single(&self) -> (String, i32) {
        let output = self.run("fencepost corpus corpus");
        (stdout(&output), code(&output))
    }
}

fn same_as_single(place: &Place, output: &Output) {
    let (text, exit) = place.single();
    assert!(text.contains("3 files, 0 failed"), "{text}");
    let printed = stdout(output);
    // Programs may say what they do before the results come.
    assert!(printed.ends_with(&text), "{printed}{}", stderr(output));
    assert_eq!(code(output), exit);
}

#[test]
fn gnu_parallel_runs_the_shards() {
    if !exists("parallel") {
        return skipped("GNU parallel is not installed");
    }
    let place = Place::new();
    let output = place.run(&lines_of("parallel 'fencepost corpus"));
    same_as_single(&place, &output);
    let output = place.run(&lines_of("parallel 'fencepost robust"));
    let merged = stdout(&output);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(merged.contains("Not robust under TSO"), "{merged}");
    assert!(merged.contains("in 4 shards"), "{merged}");
}

#[test]
fn xargs_runs_the_shards() {
    if !exists("xargs") {
        return skipped("xargs is not installed");
    }
    let place = Place::new();
    let output = place.run(&lines_of("seq 4 | xargs"));
    same_as_single(&place, &output);
}

/// A controller and a node of Slurm, which end with this.
struct Slurm {
    daemons: Vec<Child>,
    folder: TempDir,
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for daemon in &mut self.daemons {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

impl Slurm {
    /// Starts both; `None`, with a notice, if that does not work here.
    fn start() -> Option<Self> {
        let programs = [
            "slurmctld",
            "slurmd",
            "sbatch",
            "squeue",
            "sinfo",
            "scancel",
        ];
        if let Some(missing) = programs.into_iter().find(|program| !exists(program)) {
            skipped(&format!("Slurm is not installed: there is no `{missing}`"));
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let mut slurm = Self {
            daemons: Vec::new(),
            folder,
        };
        fs::create_dir(slurm.folder.path().join("state")).unwrap();
        fs::create_dir(slurm.folder.path().join("spool")).unwrap();
        fs::write(slurm.configuration(), slurm.settings()).unwrap();
        for (program, more) in [("slurmctld", "-c"), ("slurmd", "")] {
            let log = fs::File::create(slurm.folder.path().join(program)).unwrap();
            let mut daemon = Command::new(program);
            daemon.arg("-D").args((!more.is_empty()).then_some(more));
            daemon.env("SLURM_CONF", slurm.configuration());
            daemon.stdin(Stdio::null()).stdout(log.try_clone().unwrap());
            slurm.daemons.push(daemon.stderr(log).spawn().ok()?);
        }
        let is_idle = || {
            let sinfo = slurm.ask("sinfo", &["-h", "-o", "%T"]);
            sinfo.is_some_and(|states| states.trim() == "idle")
        };
        if !until(20, is_idle) {
            let log = fs::read_to_string(slurm.folder.path().join("slurmctld"));
            let last = log.unwrap_or_default();
            let last = last.lines().last().unwrap_or_default().to_owned();
            skipped(&format!("Slurm does not start here: {last}"));
            return None;
        }
        Some(slurm)
    }

    fn configuration(&self) -> PathBuf {
        self.folder.path().join("slurm.conf")
    }

    /// No security and no control of resources: everything runs as this user, on this machine.
    fn settings(&self) -> String {
        let word = |program: &str, argument: &str| {
            let output = Command::new(program).arg(argument).output().unwrap();
            stdout(&output).trim().to_owned()
        };
        let (host, user) = (word("hostname", "-s"), word("id", "-un"));
        let at = self.folder.path().display();
        let [first, second] = [0; 2].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
        let port = |listener: &TcpListener| listener.local_addr().unwrap().port();
        let (controller, node) = (port(&first), port(&second));
        format!(
            "ClusterName=fencepost\nSlurmctldHost={host}(127.0.0.1)\nAuthType=auth/none\n\
             CredType=cred/none\nSlurmUser={user}\nSlurmdUser={user}\n\
             StateSaveLocation={at}/state\nSlurmdSpoolDir={at}/spool\n\
             SlurmctldPidFile={at}/controller.pid\nSlurmdPidFile={at}/node.pid\n\
             SlurmctldPort={controller}\nSlurmdPort={node}\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n\
             JobAcctGatherType=jobacct_gather/none\nReturnToService=2\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
             SlurmdParameters=config_overrides\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=2\n\
             PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
        )
    }

    /// What a program of Slurm prints; `None` if it fails.
    fn ask(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env("SLURM_CONF", self.configuration());
        let log = tempfile::tempdir().unwrap();
        let output = run_for(20, &mut command, log.path())?;
        output.status.success().then(|| stdout(&output))
    }
}

/// The second shard is killed in the middle, and then submitted again.
#[test]
fn slurm_runs_the_shards_and_a_killed_one_is_run_again() {
    let Some(slurm) = Slurm::start() else {
        return;
    };
    let place = Place::new();
    let (program, folder) = (env!("CARGO_BIN_EXE_fencepost"), place.path().display());
    place.command(
        "fencepost",
        &format!(
            "if [ \"$SLURM_ARRAY_TASK_ID\" = 2 ] && mkdir '{folder}/killed' 2>/dev/null; then\n\
             echo '{{\"schema\":1,'; exec sleep {LIMIT}; fi\nexec '{program}' \"$@\""
        ),
    );
    let lines = lines_of("sbatch");
    let log = tempfile::tempdir().unwrap();
    let mut shell = place.shell(&lines);
    shell.env("SLURM_CONF", slurm.configuration());
    let killed = std::thread::scope(|scope| {
        let run = scope.spawn(|| run_for(LIMIT, &mut shell, log.path()));
        let only_one_runs = || {
            let jobs = slurm.ask("squeue", &["-h", "-r", "-o", "%i"]);
            jobs.is_some_and(|jobs| jobs.lines().count() == 1)
                && place.path().join("killed").exists()
        };
        assert!(until(LIMIT, only_one_runs), "the other shards end");
        let job = slurm.ask("squeue", &["-h", "-r", "-o", "%i"]).unwrap();
        slurm
            .ask("scancel", &[job.trim()])
            .expect("it is cancelled");
        run.join().unwrap().expect("the lines end")
    });
    assert_eq!(code(&killed), 2, "{}", stdout(&killed));
    let printed = stderr(&killed);
    assert!(
        printed.contains("shard.2.jsonl") && printed.contains("is missing"),
        "{printed}"
    );
    let again = lines.replace("--array=1-4", "--array=2");
    let mut shell = place.shell(&again);
    shell.env("SLURM_CONF", slurm.configuration());
    let output = run_for(LIMIT, &mut shell, log.path()).expect("the lines end");
    same_as_single(&place, &output);
}

#[test]
fn shards_without_files_are_merged_too() {
    let place = Place::new();
    let mut arguments = vec!["corpus".to_owned(), "--merge".to_owned()];
    let corpus = place.path().join("corpus").display().to_string();
    for index in 1..=5 {
        let shard = format!("{index}/5");
        let output = fencepost(&["corpus", &corpus, "--shard", &shard, "--json"], "");
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let file = place.path().join(format!("shard.{index}.jsonl"));
        fs::write(&file, &output.stdout).unwrap();
        arguments.push(file.display().to_string());
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let merged = fencepost(&arguments, "");
    assert_eq!((stdout(&merged), code(&merged)), place.single());
    // A folder without any program is still an error, and so is a file in its place.
    let empty = tempfile::tempdir().unwrap();
    for (path, message) in [
        (empty.path().to_owned(), "no program"),
        (place.path().join("queue.fence"), "is a file"),
    ] {
        let path = path.display().to_string();
        let output = fencepost(&["corpus", &path, "--shard", "1/2", "--json"], "");
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}
