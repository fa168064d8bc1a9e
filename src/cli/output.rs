//! Output files: replaced atomically, or left unchanged.
//!
//! An existing file may be the only copy of something. So the new text is written to a temporary file in
//! the same directory, synced, and renamed: if the disk is full or the process is killed, the file has
//! either the old text or the new one. The file keeps its permissions, and symbolic links stay links.
//!
//! Some files cannot be replaced that way. Terminals, pipes and devices are written to directly. A file
//! with several hard links, a mount point, or a file in a directory without write permission is
//! overwritten in place, and its old contents are restored if that fails.
//!
//! **Incomplete:** a kill while a file is overwritten in place may lose data.

mod several;

pub(super) use several::{NewText, replace_all};

use super::exit::Exit;
use super::streams;
use super::values::DrawTo;
use crate::model::Model;
use crate::report::draw::{self, Drawing};
use crate::report::{ShownRun, core, dot};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// The maximum length of a chain of symbolic links; longer ones are taken for cycles.
const MOST_LINKS: usize = 40;

/// Writes a text to the file of this name, or to standard output for `-`. Prints an error if that fails.
pub(super) fn write(path: &Path, text: &str) -> Exit {
    if path.as_os_str() == "-" {
        return streams::print(text);
    }
    match replace(path, text.as_bytes()) {
        Ok(()) => Exit::Holds,
        Err(error) => {
            streams::print_message(&cannot_write(path, &error));
            Exit::Usage
        }
    }
}

/// Writes a text, or prints the reason why there is none.
pub(super) fn write_if_any(path: &Path, text: Result<String, &str>) -> Exit {
    match text {
        Ok(text) => write(path, &text),
        Err(why) => {
            streams::print_message(why);
            Exit::Holds
        }
    }
}

/// Writes the racing core of a run if the user requested it. Prints a message if there is no run.
pub(super) fn write_core(path: Option<&Path>, run: Option<&ShownRun<'_>>) -> Exit {
    let Some(path) = path else {
        return Exit::Holds;
    };
    let Some(run) = run else {
        streams::print_message("no litmus test was written: there is no run to show");
        return Exit::Holds;
    };
    match core(run) {
        Ok(text) => write(path, &text),
        Err(why) => {
            streams::print_message(&format!("no litmus test was written: {why}"));
            Exit::Usage
        }
    }
}

/// Draws an execution, or writes the page of the whole result, if the user requested it. Prints a message if
/// there is no execution to draw.
pub(super) fn draw(
    to: Option<&DrawTo>,
    run: Option<&ShownRun<'_>>,
    page: impl FnOnce() -> String,
) -> Exit {
    let Some(DrawTo { path, format }) = to else {
        return Exit::Holds;
    };
    let none = "nothing was drawn: there is no execution to show";
    let drawing = match format {
        Drawing::Html => Ok(page()),
        Drawing::Svg => run
            .and_then(draw::execution)
            .map(|image| draw::file(&image))
            .ok_or(none),
        Drawing::Dot => match run {
            None => Err(none),
            Some(run) => dot::cycle(run)
                .ok_or("nothing was drawn: the execution has no happens-before cycle"),
        },
    };
    write_if_any(path, drawing)
}

/// Whether a page is requested, which shows all of a result, whatever is printed.
pub(super) fn is_page(to: Option<&DrawTo>) -> bool {
    to.is_some_and(|to| to.format == Drawing::Html)
}

/// The error message of commands whose results are no pictures.
pub(super) const PAGES_ONLY: &str =
    "`--draw` writes a page here: the name of its file has to end with `.html`";

/// The first option that is given.
pub(super) fn first_given(options: &[(bool, &'static str)]) -> Option<&'static str> {
    let mut options = options.iter();
    options.find_map(|&(given, name)| given.then_some(name))
}

/// An error message, if several results would be drawn into one file.
pub(super) fn draws_one(to: Option<&DrawTo>, models: &[Model]) -> Option<String> {
    (to.is_some() && models.len() > 1).then(|| "`--draw` requires a single `--model`".to_owned())
}

/// The error message for a file that could not be written.
pub(super) fn cannot_write(path: &Path, error: &io::Error) -> String {
    // Not with the name of the temporary file, which differs in each run.
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let why = match (error.get_ref(), folder.map(fs::metadata)) {
        (None, _) => error.to_string(),
        (Some(_), Some(Err(missing))) => missing.to_string(),
        (Some(_), Some(Ok(_)) | None) => error.kind().to_string(),
    };
    format!("cannot write `{}`: {why}", path.display())
}

/// Replaces the contents of the file of this name, which need not exist.
///
/// # Errors
///
/// If writing fails. A file that can be replaced atomically is then unchanged.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Use our own handles: a newly opened one would start writing at the beginning of the file.
    if ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
        .iter()
        .any(|own| path == Path::new(own))
    {
        let mut stdout = io::stdout().lock();
        return stdout.write_all(bytes).and_then(|()| stdout.flush());
    }
    if ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"]
        .iter()
        .any(|own| path == Path::new(own))
    {
        return io::stderr().lock().write_all(bytes);
    }
    match fs::metadata(path) {
        Ok(old) if old.is_file() => Staged::of(path, bytes, &old)?.put(bytes),
        Ok(_) => OpenOptions::new().write(true).open(path)?.write_all(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let target = follow(path)?;
            let staged = beside(&target, bytes, None).and_then(|new| rename(new, &target));
            match staged {
                Ok(()) => Ok(()),
                Err(Failure::Replacing(error) | Failure::Writing(error)) => Err(error),
            }
        }
        Err(error) => Err(error),
    }
}

/// New contents of a file that exists, written but not yet in its place.
struct Staged {
    target: PathBuf,
    /// The file that will replace it; `None` if it has to be overwritten.
    new: Option<NamedTempFile>,
}

impl Staged {
    /// Writes the new contents beside the file of this name, if that is possible.
    fn of(path: &Path, bytes: &[u8], old: &Metadata) -> io::Result<Self> {
        let target = follow(path)?;
        // Without permission to write to the file, we must not replace it either.
        OpenOptions::new().write(true).open(&target)?;
        let new = if has_other_names(old) {
            None
        } else {
            match beside(&target, bytes, Some(old)) {
                Ok(new) => Some(new),
                Err(Failure::Replacing(error)) if wants_overwriting(&error) => None,
                Err(Failure::Replacing(error) | Failure::Writing(error)) => return Err(error),
            }
        };
        Ok(Self { target, new })
    }

    /// Puts the new contents, which are these, in their place.
    fn put(self, bytes: &[u8]) -> io::Result<()> {
        let Some(new) = self.new else {
            return overwrite(&self.target, bytes);
        };
        match rename(new, &self.target) {
            Ok(()) => Ok(()),
            Err(Failure::Replacing(error)) if wants_overwriting(&error) => {
                overwrite(&self.target, bytes)
            }
            Err(Failure::Replacing(error) | Failure::Writing(error)) => Err(error),
        }
    }
}

/// The step at which an atomic replacement failed.
enum Failure {
    /// The temporary file could not be created or renamed.
    Replacing(io::Error),
    /// The temporary file could not be written.
    Writing(io::Error),
}

/// A temporary file in the target's directory with these contents, and with the permissions of the old
/// file if there was one. Dropping it removes it.
fn beside(target: &Path, bytes: &[u8], old: Option<&Metadata>) -> Result<NamedTempFile, Failure> {
    let mut new = create(directory_of(target)).map_err(Failure::Replacing)?;
    new.write_all(bytes).map_err(Failure::Writing)?;
    if let Some(old) = old {
        keep_owner(new.as_file(), old).map_err(Failure::Replacing)?;
        new.as_file()
            .set_permissions(old.permissions())
            .map_err(Failure::Writing)?;
    }
    new.as_file().sync_all().map_err(Failure::Writing)?;
    Ok(new)
}

fn directory_of(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if parent != Path::new("") => parent,
        Some(_) | None => Path::new("."),
    }
}

/// Renames a temporary file to the target.
fn rename(new: NamedTempFile, target: &Path) -> Result<(), Failure> {
    new.persist(target)
        .map_err(|failed| Failure::Replacing(failed.error))?;
    // Make the new name durable, too. Not all systems can sync a directory.
    if let Ok(directory) = File::open(directory_of(target)) {
        let _ = directory.sync_all();
    }
    Ok(())
}

/// A new file with an unpredictable, unused name.
fn create(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".fencepost-").rand_bytes(16);
    #[cfg(unix)]
    {
        // The permissions that new files get, before the user's mask is applied.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory)
}

/// Gives the new file the owner and the group of the old one.
#[cfg(unix)]
fn keep_owner(new: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let own = new.metadata()?;
    if (own.uid(), own.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    fchown(new, Some(old.uid()), Some(old.gid()))
}

#[cfg(not(unix))]
#[allow(
    clippy::unnecessary_wraps,
    reason = "elsewhere a file belongs to its directory's owner"
)]
fn keep_owner(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Whether the file has other hard links, which would keep the old contents.
#[cfg(unix)]
fn has_other_names(file: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(file) > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

/// Whether a file that cannot be replaced because of this error may still be overwritten in place.
fn wants_overwriting(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::PermissionDenied
            | ErrorKind::ResourceBusy
            | ErrorKind::CrossesDevices
            | ErrorKind::ReadOnlyFilesystem
    )
}

/// Overwrites a file in place, and restores its old contents if that fails.
fn overwrite(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(target)?;
    let mut old = Vec::new();
    file.read_to_end(&mut old)?;
    let mut put = |bytes: &[u8]| {
        file.rewind()?;
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)?;
        file.sync_all()
    };
    put(bytes).inspect_err(|_| {
        // If restoring fails as well, the first error is the one to report.
        let _ = put(&old);
    })
}

/// The path after all symbolic links have been resolved. The file need not exist.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let is_link = fs::symlink_metadata(&path).is_ok_and(|file| file.is_symlink());
        if !is_link {
            return Ok(path);
        }
        let target = fs::read_link(&path)?;
        // An absolute target replaces the path.
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::new(
        ErrorKind::InvalidInput,
        "too many symbolic links",
    ))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use tempfile::{TempDir, tempdir};

    fn names(directory: &TempDir) -> Vec<String> {
        let entries = fs::read_dir(directory.path()).expect("the directory is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("it can be read").file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_keeps_its_permissions() -> io::Result<()> {
        let directory = tempdir()?;
        let path = directory.path().join("a");
        replace(&path, b"first")?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640))?;
        let before = fs::metadata(&path)?;
        replace(&path, b"second")?;
        let after = fs::metadata(&path)?;
        assert_eq!(fs::read(&path)?, b"second");
        assert_eq!(after.mode(), before.mode());
        assert_ne!(after.ino(), before.ino(), "it is another file");
        assert_eq!(names(&directory), ["a"]);
        Ok(())
    }

    #[test]
    fn a_new_file_gets_the_permissions_that_new_files_get() -> io::Result<()> {
        let directory = tempdir()?;
        let (ours, other) = (directory.path().join("a"), directory.path().join("b"));
        replace(&ours, b"")?;
        File::create(&other)?;
        assert_eq!(fs::metadata(&ours)?.mode(), fs::metadata(&other)?.mode());
        Ok(())
    }

    #[test]
    fn links_stay_links() -> io::Result<()> {
        let directory = tempdir()?;
        let at = |name: &str| directory.path().join(name);
        fs::create_dir(at("sub"))?;
        fs::write(at("sub/file"), "old")?;
        symlink("sub/second", at("first"))?;
        symlink("file", at("sub/second"))?;
        replace(&at("first"), b"new")?;
        assert_eq!(fs::read(at("sub/file"))?, b"new");
        assert_eq!(fs::read_link(at("first"))?, Path::new("sub/second"));
        assert_eq!(fs::read_link(at("sub/second"))?, Path::new("file"));
        // A dangling link can be written through.
        symlink("sub/later", at("ahead"))?;
        replace(&at("ahead"), b"later")?;
        assert_eq!(fs::read(at("sub/later"))?, b"later");
        symlink("circle", at("circle"))?;
        assert!(replace(&at("circle"), b"").is_err());
        Ok(())
    }

    #[test]
    fn all_hard_links_of_a_file_see_the_new_text() -> io::Result<()> {
        let directory = tempdir()?;
        let (a, b) = (directory.path().join("a"), directory.path().join("b"));
        fs::write(&a, "a long old text")?;
        fs::hard_link(&a, &b)?;
        replace(&a, b"new")?;
        assert_eq!(fs::read(&b)?, b"new");
        assert_eq!(fs::metadata(&a)?.ino(), fs::metadata(&b)?.ino());
        Ok(())
    }

    #[test]
    fn devices_are_written_to_directly() -> io::Result<()> {
        replace(Path::new("/dev/null"), b"gone")?;
        assert!(!fs::metadata("/dev/null")?.is_file());
        let full = replace(Path::new("/dev/full"), b"more");
        assert!(!cfg!(target_os = "linux") || full.is_err());
        assert!(replace(Path::new("/"), b"").is_err());
        Ok(())
    }

    #[test]
    fn a_file_that_may_not_be_written_is_left_alone() -> io::Result<()> {
        let directory = tempdir()?;
        let path = directory.path().join("a");
        fs::write(&path, "old")?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444))?;
        // An administrator may write to it nevertheless.
        if OpenOptions::new().write(true).open(&path).is_err() {
            assert!(replace(&path, b"new").is_err());
            assert_eq!(fs::read(&path)?, b"old");
        }
        assert_eq!(names(&directory), ["a"]);
        Ok(())
    }

    #[test]
    fn no_temporary_file_remains_if_the_name_cannot_be_taken() -> io::Result<()> {
        let directory = tempdir()?;
        let path = directory.path().join("x".repeat(300));
        assert!(replace(&path, b"new").is_err());
        assert_eq!(names(&directory), [""; 0]);
        Ok(())
    }
}
